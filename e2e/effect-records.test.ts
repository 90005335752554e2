import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { hasPostgres, startPostgres } from "./src/postgres-server.ts";
import type { PostgresServer } from "./src/postgres-server.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const secret = "a secret of the test";

/** A request of a tool that has arrived outside the service: `POST /<run ID>`. */
type Effect = { runId: string; authorization: string | undefined };

/** Another server, which answers no request and calls `onEffect` as soon as one arrives. */
async function serveSilently() {
  const effects: Effect[] = [];
  let onEffect: () => void = () => undefined;
  const upstream = createServer((request) => {
    const { url = "", headers } = request;
    effects.push({ runId: url.slice(1), authorization: headers.authorization });
    onEffect();
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  return {
    effects,
    host: `http://127.0.0.1:${port}`,
    privateHost: `127.0.0.1:${port}`,
    /** Resolves once `action`, which is called with the next effect, has ended. */
    atNextEffect: (action: () => Promise<unknown>) =>
      new Promise<void>((resolve, reject) => {
        onEffect = () => {
          onEffect = () => undefined;
          action().then(() => resolve(), reject);
        };
      }),
    close: () => {
      upstream.closeAllConnections();
      upstream.close();
    },
  };
}

type Upstream = Awaited<ReturnType<typeof serveSilently>>;

const sending = (host: string, headers = "{}") => `export default async ({ delayMs = 0 }, ctx) => {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  await fetch("${host}/" + ctx.runId, { method: "POST", headers: ${headers} });
}`;

let upstream: Upstream;
let postgres: PostgresServer | undefined;
let server: Server;
const tools: Record<string, string> = {};

beforeAll(async () => {
  upstream = await serveSilently();
  if (dialect === "postgres" && hasPostgres) postgres = await startPostgres();
  const isolated =
    postgres === undefined ? {} : { DATABASE_URL: postgres.url, ENCRYPTION_KEY: "5".repeat(64) };
  const settings = { EGRESS_PRIVATE_HOSTS: upstream.privateHost, ...isolated };
  server = await startServer(settings, { isFirst: postgres !== undefined });
  const { host } = upstream;
  const allowedHosts = [host];
  const draft = { name: "SERVICE_KEY", value: secret, hosts: [host] };
  expectStatus(201, await server.call("POST", "/credentials", draft));
  tools["request"] = await server.makeTool(sending(host), { allowedHosts });
  tools["credential"] = await server.makeTool(
    sending(host, `{ authorization: "Bearer " + ctx.credentials.SERVICE_KEY }`),
    { allowedHosts, credentials: [{ name: "SERVICE_KEY", hosts: [host] }] },
  );
  tools["child"] = await server.makeTool(
    `export default async (input, ctx) => ctx.tools.run("${tools["request"]}", input);`,
  );
  tools["grandchild"] = await server.makeTool(
    `export default async (input, ctx) => ctx.tools.run("${tools["child"]}", input);`,
  );
  tools["file"] = await server.makeTool(
    `export default async (input, ctx) => {
      for (let number = 0; number < 100; number++) {
        await ctx.files.save({ name: "f.txt", mimeType: "text/plain", body: "x".repeat(5_000) });
      }
    }`,
  );
  tools["question"] = await server.makeTool(
    `export default (input, ctx) => ctx.ask({ message: "Continue?", schema: { type: "object", properties: {} } });`,
  );
});
afterAll(async () => {
  await server?.stop();
  await postgres?.remove();
  upstream?.close();
});

/** Sends a request whose response may never arrive. */
function send(tool: string, key: string, input: object = {}) {
  const headers = { "idempotency-key": key, prefer: "wait=55" };
  return server.call("POST", `/run/${tool}`, input, headers).catch(() => undefined);
}

/** Kills the service, and starts it again. */
async function crash(): Promise<void> {
  await server.end("SIGKILL");
  await server.startAgain();
}

async function countEvents(runId: string): Promise<number> {
  const { body } = await server.call("GET", "/audit-events?action=run.create&limit=200");
  return (body as { target: string }[]).filter(({ target }) => target === runId).length;
}

/** Checks that a run has a record that ends, and one event, and returns the record. */
async function expectRecord(runId: string) {
  const record = await server.finished(runId);
  expect(record.status).toBe("failed");
  expect(["interrupted", "sandbox_lost"]).toContain(record.error.code);
  expect(await countEvents(runId)).toBe(1);
  return record;
}

/** Checks that a key returns its run again, and again. */
async function expectReplay(tool: string, key: string, expected: object) {
  const answers = await until("the key has a response", 60_000, async () => {
    const [first, second] = [await send(tool, key), await send(tool, key)];
    return first?.status === 200 && second?.status === 200 && [first, second];
  });
  for (const { body, headers, text } of answers) {
    expect(body).toMatchObject(expected);
    expect(headers.get("idempotent-replay")).toBe("true");
    expect(text).toBe(answers[0]?.text);
  }
}

describe("a service that is killed as soon as a tool has an effect", { timeout: 240_000 }, () => {
  test.each(["request", "credential", "child", "grandchild"])(
    "has the record of the run: a %s",
    proves("run.terminal", "run.never_twice", "idempotency.crash", "audit.every_run"),
    async (kind) => {
      const tool = tools[kind] ?? "";
      const key = randomUUID();
      const before = upstream.effects.length;
      const crashed = upstream.atNextEffect(crash);
      await Promise.all([crashed, send(tool, key)]);
      const [effect, ...others] = upstream.effects.slice(before);
      expect(others).toEqual([]);
      expect(effect?.authorization).toBe(kind === "credential" ? `Bearer ${secret}` : undefined);
      let record = await expectRecord(effect?.runId ?? "");
      while (record.parentRunId !== null) record = await expectRecord(record.parentRunId);
      expect(record.toolName).toBe(tool);
      await expectReplay(tool, key, { runId: record.runId, status: "failed" });
      expect(upstream.effects).toHaveLength(before + 1);
    },
  );

  test("has the records of runs whose files exist", proves("run.terminal"), async () => {
    const sent = [1, 2, 3].map(() => send(tools["file"] ?? "", randomUUID()));
    await until("files exist", 60_000, async () => (await listFiles()).length > 5);
    await crash();
    await Promise.all(sent);
    const runIds = new Set((await listFiles()).map(({ runId }) => runId));
    expect(runIds.size).toBeGreaterThan(0);
    for (const runId of runIds) await expectRecord(runId);
  });

  test("has the record of a run that asked a question, which is closed", async () => {
    const key = randomUUID();
    const sent = send(tools["question"] ?? "", key);
    const runId = await until("the run asks", 60_000, async () => {
      const path = `/runs?status=running&toolName=${tools["question"]}`;
      const [run] = (await server.call("GET", path)).body as { runId: string }[];
      if (run === undefined) return undefined;
      const { body } = await server.call("GET", `/runs/${run.runId}`);
      return body.question?.message === "Continue?" && run.runId;
    });
    await crash();
    await sent;
    const record = await expectRecord(runId);
    expect(record.question ?? null).toBeNull();
    // The wait ends when the run asks. The service may be killed before it has stored that response.
    await expectReplay(tools["question"] ?? "", key, { runId });
  });

  test.skipIf(dialect !== "postgres" || !hasPostgres)(
    "has the records of the runs while the connection to PostgreSQL is lost",
    { ...proves("run.terminal", "run.never_twice"), timeout: 600_000, tags: ["nightly"] },
    async () => {
      const first = upstream.effects.length;
      for (let round = 0; round < 5; round++) {
        const before = upstream.effects.length;
        const requests = [20, 60, 90, 120].map((delayMs) => ({ delayMs, key: randomUUID() }));
        const crashed = upstream.atNextEffect(async () => {
          await sleep(round * 15);
          await server.end("SIGKILL");
        });
        const sent = requests.map(({ delayMs, key }) =>
          send(tools["request"] ?? "", key, { delayMs }),
        );
        await sleep(20 + round * 20);
        await postgres?.stop("immediate");
        await sleep(500);
        await postgres?.start();
        // If PostgreSQL stopped before the runs were accepted, they have no effect.
        await Promise.race([crashed, Promise.all(sent)]);
        await server.end("SIGKILL");
        await Promise.all(sent);
        await server.startAgain();
        const effects = upstream.effects.slice(before);
        for (const { runId } of effects) await expectRecord(runId);
        expect(new Set(effects.map(({ runId }) => runId)).size).toBe(effects.length);
      }
      expect(upstream.effects.length).toBeGreaterThan(first);
    },
  );
});

async function listFiles(): Promise<{ runId: string }[]> {
  const { body } = await server.call("GET", "/files?limit=200");
  return (body as { runId?: string }[]).flatMap(({ runId }) => (runId ? [{ runId }] : []));
}
