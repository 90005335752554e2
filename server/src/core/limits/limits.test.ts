import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config";
import type { Caller } from "#core/kernel";
import { createLimits, chargePoints, chargeRequest, chargeRun } from "./limits.ts";
import { createDatabaseCounter, deleteOldCounts } from "./counter.ts";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { createLeases } from "./leases.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const off = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_USER_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "0",
};

/** The limits of a node with these settings. */
function startNode(settings: Record<string, string>) {
  const limits = createLimits({ config: readConfig({ ...off, ...settings }), db: db() });
  return { limits };
}

/** A caller with an API key, in a separate workspace unless `rest` sets one. */
function newCaller(rest: Partial<Caller> = {}): Caller {
  const userId = rest.userId ?? newId();
  return {
    userId,
    workspaceId: newId(),
    role: "member",
    scopes: new Set(),
    actor: { userId, apiKeyId: newId() },
    via: "rest",
    requestId: newId(),
    ip: null,
    ...rest,
  };
}

async function countAllowed(takes: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(takes);
  const refused = results.filter((result) => result.status === "rejected");
  for (const { reason } of refused) expect(reason).toMatchObject({ name: "ServiceError" });
  return results.length - refused.length;
}

const times = (count: number, take: () => Promise<unknown>) => Array.from({ length: count }, take);

describe("a limit per minute", () => {
  it("allows exactly the limit of a burst", async () => {
    const node = startNode({ RATE_LIMIT_REQUESTS_PER_MINUTE: "100" });
    const caller = newCaller();
    expect(await countAllowed(times(500, () => chargeRequest(node, caller)))).toBe(100);
    await chargeRequest(node, newCaller());
  });

  it("names the limit and the time to retry in its error", async () => {
    const node = startNode({ RATE_LIMIT_RUNS_PER_MINUTE: "1", QUOTA_USER_RUNS_PER_DAY: "50" });
    const caller = newCaller();
    expect((await chargeRun(node, caller)).state).toMatchObject([
      { name: "runs", limit: 1, windowSeconds: 60, remaining: 0, resetSeconds: 60 },
      { name: "user-runs-per-day", limit: 50, windowSeconds: 86_400, remaining: 49 },
    ]);
    const refusal = chargeRun(node, caller);
    await expect(refusal).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(
        /^The limit on runs per minute for one API key or signed-in user \(1\) is reached\. Retry in (59|60) seconds\.$/,
      ),
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds === 59 || seconds === 60),
      headers: {
        "ratelimit-policy": '"runs";q=1;w=60',
        ratelimit: expect.stringMatching(/^"runs";r=0;t=(59|60)$/),
      },
    });
  });

  it("does nothing if its setting is 0", async () => {
    const node = startNode({});
    const caller = newCaller();
    expect(await chargeRequest(node, caller)).toEqual([]);
    expect((await chargeRun(node, caller)).state).toEqual([]);
  });

  it("counts each key separately, and all sessions of a user together", async () => {
    const node = startNode({ RATE_LIMIT_REQUESTS_PER_MINUTE: "1" });
    const { userId } = await takeAs(node, newCaller());
    await takeAs(node, newCaller({ userId, actor: { userId, apiKeyId: newId() } }));
    await takeAs(node, newCaller({ userId, actor: { userId, sessionId: newId() } }));
    await expect(
      takeAs(node, newCaller({ userId, actor: { userId, sessionId: newId() } })),
    ).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("applies to all keys of a user, or to a workspace", async () => {
    const forUser = startNode({ RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "1" });
    const { userId } = await takeAs(forUser, newCaller());
    await expect(takeAs(forUser, newCaller({ userId }))).rejects.toThrow(
      "for one user (1) is reached",
    );
    const forWorkspace = startNode({ RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "1" });
    const { workspaceId } = newCaller();
    await chargeRun(forWorkspace, newCaller({ workspaceId }));
    await expect(chargeRun(forWorkspace, newCaller({ workspaceId }))).rejects.toThrow(
      "for one workspace (1) is reached",
    );
  });

  it("refunds the points of other limits if it refuses", async () => {
    const node = startNode({
      RATE_LIMIT_REQUESTS_PER_MINUTE: "2",
      RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "1",
    });
    const caller = newCaller();
    await chargeRequest(node, caller);
    for (let n = 0; n < 5; n++)
      await expect(chargeRequest(node, caller)).rejects.toThrow("workspace");
    await chargeRequest(node, { ...caller, workspaceId: newId() });
  });

  it("counts requests without a caller, for any subject", async () => {
    const node = startNode({ RATE_LIMIT_REQUESTS_PER_MINUTE: "1" });
    for (const subject of [`203.0.113.${newId()}`, `https://${"x".repeat(3_000)}/`, "a\u0000é"]) {
      await chargePoints(node, "requests", subject);
      await expect(chargePoints(node, "requests", subject)).rejects.toMatchObject({
        code: "rate_limited",
      });
    }
  });

  it.runIf(process.env["TEST_DIALECT"] === "postgres")(
    "is one for all nodes on a database",
    async () => {
      const settings = { RATE_LIMIT_REQUESTS_PER_MINUTE: "1000" };
      const nodes = [startNode(settings), startNode(settings)] as const;
      const caller = newCaller();
      const takes = times(900, () => chargeRequest(nodes[0], caller)).concat(
        times(900, () => chargeRequest(nodes[1], caller)),
      );
      expect(await countAllowed(takes)).toBe(1_000);
      expect(await countAllowed([chargeRequest(startNode(settings), caller)])).toBe(0);
    },
  );

  it.runIf(process.env["TEST_DIALECT"] === "postgres")(
    "is one for all nodes when the clock of one is wrong",
    async () => {
      const settings = { RATE_LIMIT_REQUESTS_PER_MINUTE: "60" };
      const [right, wrong] = [startNode(settings), startNode(settings)];
      const caller = newCaller();
      expect(await countAllowed(times(20, () => chargeRequest(right, caller)))).toBe(20);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * 60_000 });
      try {
        expect(await countAllowed(times(100, () => chargeRequest(wrong, caller)))).toBe(40);
      } finally {
        vi.useRealTimers();
      }
      await expect(chargeRequest(right, caller)).rejects.toMatchObject({
        retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds <= 60),
      });
    },
  );
});

describe("a window in the database", () => {
  const counterOf = (windowMs: number) =>
    createDatabaseCounter(db(), { table: "rate_limits", windowMs, isAligned: false });

  it("ends, and the next one starts with its first point", async () => {
    const key = newId();
    const counter = counterOf(1_500);
    expect(await counter.add(key, 5)).toMatchObject({ total: 5 });
    const { total, msLeft } = await counter.add(key, 5);
    expect(total).toBe(10);
    expect(msLeft).toBeGreaterThan(0);
    expect(msLeft).toBeLessThanOrEqual(1_500);
    await sleep(1_550);
    expect(await counter.add(key, 5)).toMatchObject({ total: 5 });
  });

  it("allows exactly the limit to all nodes together", async () => {
    const limit = 300;
    const subject = newId();
    const counter = counterOf(60_000);
    const nodes = [1, 2, 3].map(() => createLeases({ counter, limit, name: "test" }));
    const takes = nodes.flatMap((leases) =>
      Array.from({ length: 200 }, () => leases.take(subject)),
    );
    const taken = await Promise.all(takes);
    expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(limit);
  });

  it("ends for nodes with leased points", async () => {
    const leases = createLeases({ counter: counterOf(1_500), limit: 1, name: "test" });
    const subject = newId();
    await leases.take(subject);
    expect(await leases.take(subject)).toMatchObject({ isAllowed: false });
    await sleep(1_550);
    expect(await leases.take(subject)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("disappears from the table some time after its end", async () => {
    const [over, open] = [newId(), newId()];
    await counterOf(50).add(over, 1);
    await counterOf(60_000).add(open, 1);
    await sleep(100);
    await deleteOldCounts(db());
    const rows = await db()
      .kysely.selectFrom("rate_limits")
      .select("key")
      .where("key", "in", [over, open])
      .execute();
    expect(rows).toEqual([{ key: open }]);
  });
});

describe("a quota per day", () => {
  const settings = { QUOTA_WORKSPACE_RUNS_PER_DAY: "90" };

  it("survives restarts, with the unused leased points", async () => {
    const caller = newCaller();
    const before = startNode(settings);
    await Promise.all(times(40, () => chargeRun(before, caller)));
    await before.limits.stop();
    const after = startNode(settings);
    expect(await countAllowed(times(60, () => chargeRun(after, caller)))).toBe(50);
  });

  it("loses less than a block if the process is killed", async () => {
    const caller = newCaller();
    await chargeRun(startNode(settings), caller);
    const after = startNode(settings);
    expect(await countAllowed(times(90, () => chargeRun(after, caller)))).toBe(87);
  });

  it("rejects with quota_exceeded until midnight UTC", async () => {
    const node = startNode({ QUOTA_USER_RUNS_PER_DAY: "1" });
    const caller = newCaller();
    await chargeRun(node, caller);
    const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
    const refusal: unknown = await chargeRun(node, caller).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining(
        "The quota for runs per day for one user (1) is used up until midnight UTC.",
      ),
    });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(Math.abs(retryAfterSeconds - untilMidnight)).toBeLessThan(5);
  });

  it("counts no run that a limit per minute refuses", async () => {
    const node = startNode({ RATE_LIMIT_RUNS_PER_MINUTE: "1", QUOTA_USER_RUNS_PER_DAY: "2" });
    const userId = newId();
    const caller = newCaller({ userId });
    await chargeRun(node, caller);
    await expect(chargeRun(node, caller)).rejects.toMatchObject({ code: "rate_limited" });
    await chargeRun(node, newCaller({ userId }));
    await expect(chargeRun(node, newCaller({ userId }))).rejects.toMatchObject({
      code: "quota_exceeded",
    });
  });
});

async function takeAs(node: ReturnType<typeof startNode>, caller: Caller): Promise<Caller> {
  await chargeRequest(node, caller);
  return caller;
}
