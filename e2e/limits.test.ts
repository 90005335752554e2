import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import type { Answer, Call } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import { enter, readFirstRun } from "./src/sign-in.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";

/** Parses the two headers. */
function limitsOf({ headers }: Answer) {
  const item = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "");
  if (item === null) throw new Error(`No RateLimit: ${JSON.stringify([...headers])}`);
  const [, name, remaining, resetSeconds] = item;
  return {
    policy: headers.get("ratelimit-policy"),
    name,
    remaining: Number(remaining),
    resetSeconds: Number(resetSeconds),
  };
}

function expectRefusal(
  answer: Answer,
  code: "rate_limited" | "quota_exceeded",
  expected: { name: string; policy: string; windowSeconds: number },
): number {
  const { detail } = expectProblem(answer, code);
  expect(detail).toMatch(/^The (?:limit on|quota for) .+ \(\d+\) is .+ Retry in .+\.$/);
  const { name, policy, remaining, resetSeconds } = limitsOf(answer);
  expect({ name, policy, remaining }).toEqual({
    name: expected.name,
    policy: expected.policy,
    remaining: 0,
  });
  const retryAfter = Number(answer.headers.get("retry-after"));
  expect(retryAfter).toBe(resetSeconds);
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(expected.windowSeconds);
  return retryAfter;
}

const isFull = process.env["TEST_ALL"] === "1";
const requestsPolicy = { name: "requests", policy: '"requests";q=40;w=60', windowSeconds: 60 };
const ok = "export default () => ({ ok: true })";

let ofMinutes: Server;
/** A caller who exhausted a limit, and when they may retry. */
let exhausted: { call: Call; until: number } | undefined;
beforeAll(async () => {
  ofMinutes = await startServer({
    RATE_LIMIT_REQUESTS_PER_MINUTE: "40",
    RATE_LIMIT_RUNS_PER_MINUTE: "5",
  });
});
afterAll(() => ofMinutes?.stop());

describe("limits per minute", () => {
  let server: Server;
  beforeAll(() => {
    server = ofMinutes;
  });

  const newKey = async (name: string) => {
    const { key } = await server.createKey({ name, scopes: ["mcp:read", "mcp:execute"] });
    return server.callWithKey(key);
  };

  test(
    "sends limit headers on every response to a known caller",
    proves("limits.headers"),
    async () => {
      const call = await newKey("Headers");
      const answers = [
        expectStatus(200, await call("GET", "/tools")),
        expectStatus(404, await call("GET", "/runs/none")),
        expectStatus(400, await call("GET", "/tools?limit=0")),
      ];
      const limits = answers.map(limitsOf);
      expect(limits.map(({ remaining }) => remaining)).toEqual([39, 38, 37]);
      for (const { name, policy, resetSeconds } of limits) {
        expect({ name, policy }).toEqual({ name: "requests", policy: requestsPolicy.policy });
        expect(resetSeconds).toBeGreaterThan(0);
        expect(resetSeconds).toBeLessThanOrEqual(60);
      }
      const unknown = await server.callWithKey("wrong")("GET", "/tools");
      expectProblem(unknown, "unauthenticated");
      expect(unknown.headers.has("ratelimit")).toBe(false);
    },
  );

  test(
    "accepts exactly the limit from a burst",
    proves("rate_limit", "error.rate_limited"),
    async () => {
      const call = await newKey("Burst");
      const answers = await Promise.all(Array.from({ length: 100 }, () => call("GET", "/tools")));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const answer of refused) expectRefusal(answer, "rate_limited", requestsPolicy);
      expectProblem(await call("POST", "/run/anything", {}), "rate_limited");
      const other = await newKey("Not the burst");
      expectStatus(200, await other("GET", "/tools"));
      const last = expectRefusal(await call("GET", "/tools"), "rate_limited", requestsPolicy);
      exhausted = { call, until: performance.now() + last * 1_000 + 200 };
    },
  );

  test("applies run limits to runs only", proves("rate_limit"), async () => {
    const tool = await server.makeTool(ok);
    const call = await newKey("Runs");
    const runs = await Promise.all(
      Array.from({ length: 12 }, () => call("POST", `/run/${tool}`, {})),
    );
    const done = runs.filter(({ status }) => status === 200);
    expect(done).toHaveLength(5);
    const policy = '"requests";q=40;w=60, "runs";q=5;w=60';
    for (const answer of done) {
      expect(limitsOf(answer)).toMatchObject({ name: "runs", policy });
    }
    for (const answer of runs.filter(({ status }) => status !== 200)) {
      const runsPolicy = { name: "runs", policy: '"runs";q=5;w=60', windowSeconds: 60 };
      expectRefusal(answer, "rate_limited", runsPolicy);
    }
    const { body: records } = expectStatus(200, await call("GET", `/runs?toolName=${tool}`));
    expect(records).toHaveLength(5);
  });

  test("shares one limit among all sessions of a user", proves("rate_limit"), async () => {
    const person =
      dialect === "sqlite"
        ? await readFirstRun(server.dataDir)
        : { email: "ada@example.com", password: "a long pass phrase" };
    const cookie = await enter(server.baseUrl, "sign-in", person);
    const callAgain = createCall(
      () => server.baseUrl,
      () => ({ cookie, origin: server.baseUrl }),
    );
    let last = await server.callAsOwner("GET", "/me");
    for (let n = 0; n < 41 && last.status === 200; n++) {
      last = await server.callAsOwner("GET", "/me");
    }
    expectRefusal(last, "rate_limited", requestsPolicy);
    expectProblem(await callAgain("GET", "/me"), "rate_limited");
  });
});

describe("a quota per day", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ QUOTA_WORKSPACE_RUNS_PER_DAY: "4" });
  });
  afterAll(() => server?.stop());

  test(
    "applies to the workspace, and survives restarts and crashes",
    proves("error.quota_exceeded", "limits.quota_persists"),
    async () => {
      const tool = await server.makeTool(ok);
      const first = expectStatus(200, await server.call("POST", `/run/${tool}`, {}));
      const policy = '"workspace-runs-per-day";q=4;w=86400';
      expect(limitsOf(first)).toMatchObject({ policy, remaining: 3 });
      if (isFull) {
        await server.end("SIGTERM");
        await server.startAgain();
      }
      expectStatus(200, await server.callAsOwner("POST", `/run/${tool}`, {}));
      expectStatus(200, await server.call("POST", `/run/${tool}`, {}));
      await server.end("SIGKILL");
      await server.startAgain();
      expect(limitsOf(await server.call("POST", `/run/${tool}`, {})).remaining).toBe(0);
      const name = "workspace-runs-per-day";
      const expected = { name, policy, windowSeconds: 86_400 };
      expectRefusal(await server.call("POST", `/run/${tool}`, {}), "quota_exceeded", expected);
      expectProblem(await server.callAsOwner("POST", `/run/${tool}`, {}), "quota_exceeded");
      expectStatus(200, await server.call("GET", "/tools"));
    },
  );
});

describe.skipIf(dialect !== "postgres")("two nodes on one database", () => {
  let one: Server;
  let other: ReadyService;
  let callOther: Call;

  beforeAll(async () => {
    one = await startServer({ RATE_LIMIT_REQUESTS_PER_MINUTE: "150" });
    other = await startSecondNode(one);
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    await one?.stop();
  });

  test("shares one limit exactly among nodes", proves("limits.nodes"), async () => {
    const { key } = await one.createKey({ name: "Both", scopes: ["mcp:read"] });
    const callOne = one.callWithKey(key);
    callOther = createCall(
      () => other.baseUrl,
      () => ({ authorization: `Bearer ${key}` }),
    );
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? callOne : callOther)("GET", "/tools")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(150);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, "rate_limited");
    }
  });
});

// This is the last test, so that most of the minute passes during the others.
test(
  "accepts requests again after Retry-After",
  { ...proves("rate_limit"), tags: ["nightly"] },
  async () => {
    if (exhausted === undefined) throw new Error("No caller has used up a limit");
    await sleep(Math.max(0, exhausted.until - performance.now()));
    const answer = expectStatus(200, await exhausted.call("GET", "/tools"));
    expect(limitsOf(answer).remaining).toBe(39);
  },
);
