import { spawn } from "node:child_process";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { programPath } from "./src/program.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const kills = Number(process.env["BATCH_KILLS"] ?? (process.env["TEST_ALL"] === "1" ? 8 : 3));
const runsPerBatch = 60;

/** How often the tool was called with each input. */
const effects = new Map<string, number>();
const upstream = createServer((incoming, response) => {
  const id = new URL(incoming.url ?? "", "http://upstream").searchParams.get("id") ?? "";
  effects.set(id, (effects.get(id) ?? 0) + 1);
  response.end("ok");
});
let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  host = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

const code = `export default async ({ id, host, password }) => {
  await fetch(host + "/?id=" + id);
  await new Promise((done) => setTimeout(done, 30));
  return { id, length: password.length };
};`;

type Batch = {
  batchId: string;
  status: string;
  total: number;
  counts: Record<"queued" | "running" | "completed" | "failed" | "cancelled", number>;
};
type Run = { status: string; output?: { id: string; length: number }; error?: { code: string } };

let server: Server;
let tool: string;

async function start(settings: Record<string, string> = {}): Promise<void> {
  server = await startServer({
    EGRESS_PRIVATE_HOSTS: host.slice("http://".length),
    WORKSPACE_MAX_QUEUED_RUNS: "10000",
    ...settings,
  });
  tool = await server.makeTool(code, {
    allowedHosts: [host],
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string" },
        host: { type: "string" },
        // Stored encrypted until the run has ended.
        password: { type: "string", format: "password" },
      },
    },
  });
}

/** A batch with inputs of its own, and the key with which it is created. */
function newBatch() {
  const key = randomUUID();
  const ids = Array.from({ length: runsPerBatch }, (_, index) => `${key}-${index}`);
  const body = { toolName: tool, inputs: ids.map((id) => ({ id, host, password: "secret" })) };
  return { key, ids, body };
}

async function ended(batchId: string): Promise<Batch> {
  return until(`the batch ${batchId} has ended`, 120_000, async () => {
    const { body } = expectStatus(200, await server.call("GET", `/run-batches/${batchId}`));
    const batch = body as Batch;
    const sum = Object.values(batch.counts).reduce((one, other) => one + other, 0);
    expect(sum).toBe(runsPerBatch);
    return batch.status === "running" ? undefined : batch;
  });
}

async function runsOf(batchId: string): Promise<Run[]> {
  const { body } = expectStatus(
    200,
    await server.call("GET", `/runs?batchId=${batchId}&limit=200`),
  );
  return body as Run[];
}

describe("batches of a service that is killed", () => {
  let other: ReadyService | undefined;
  beforeEach(async () => {
    await start();
    if (dialect === "postgres") other = await startSecondNode(server);
  });
  afterEach(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    other = undefined;
    await server?.stop();
  });

  test(
    "loses no run, repeats none, and creates each batch once",
    { timeout: 400_000 },
    async () => {
      const made = new Map<string, string[]>();
      const send = async ({ key, body }: ReturnType<typeof newBatch>) => {
        const answer = await server.call("POST", "/run-batches", body, { "idempotency-key": key });
        return answer.status === 201 ? String(answer.body.batchId) : undefined;
      };
      for (let kill = 0; kill < kills; kill++) {
        const batch = newBatch();
        const first = send(batch).catch(() => undefined);
        // Before, during and after the write, and while its runs execute.
        await sleep(randomInt(kill % 2 === 0 ? 120 : 1_000));
        await server.end("SIGKILL");
        const before = await first;
        await server.startAgain();
        const id = await until("the batch is created", 60_000, async () =>
          send(batch).catch(() => undefined),
        );
        if (before !== undefined) expect(id).toBe(before);
        made.set(id, batch.ids);
      }
      let completed = 0;
      for (const [batchId, ids] of made) {
        const { status, counts } = await ended(batchId);
        expect(status).toBe("completed");
        const runs = await runsOf(batchId);
        expect(runs).toHaveLength(runsPerBatch);
        const outputs = runs.flatMap(({ output }) => (output === undefined ? [] : [output]));
        expect(outputs).toHaveLength(counts.completed);
        for (const { id, length } of outputs) expect([effects.get(id), length]).toEqual([1, 6]);
        for (const id of ids) expect(effects.get(id) ?? 0).toBeLessThanOrEqual(1);
        // A run that had started when its node died is not repeated.
        for (const { error } of runs.filter((run) => run.status !== "completed")) {
          expect(error?.code).toMatch(/^(?:sandbox_lost|interrupted)$/);
        }
        completed += counts.completed;
      }
      const { body: listed } = await server.call("GET", "/run-batches?limit=200");
      expect((listed as Batch[]).map(({ batchId }) => batchId).toSorted()).toEqual(
        [...made.keys()].toSorted(),
      );
      process.stderr.write(
        `${kills} kills: ${made.size} batches, ${completed} of ${made.size * runsPerBatch} runs completed, the others were running when their node died\n`,
      );
      expect(completed).toBeGreaterThan((made.size * runsPerBatch) / 2);
    },
  );
});

describe.skipIf(dialect !== "postgres")("a batch while ENCRYPTION_KEY is rotated", () => {
  afterEach(() => server?.stop());

  test("completes each run with its secret input", { timeout: 200_000 }, async () => {
    const [oldKey, newKey] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    await start({ ENCRYPTION_KEY: oldKey, WORKSPACE_MAX_CONCURRENT_RUNS: "1" });
    const { body } = newBatch();
    const created = expectStatus(201, await server.call("POST", "/run-batches", body));
    const both = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };
    await server.end("SIGTERM");
    await server.startAgain(both);
    const call = createCall(
      () => server.baseUrl,
      () => ({ authorization: `Bearer ${server.apiKey}` }),
    );
    const path = `/run-batches/${created.body.batchId}`;
    expect((await call("GET", path)).body.counts.queued).toBeGreaterThan(0);
    const { PATH } = process.env;
    const rotation = spawn(process.execPath, [programPath("rotate-encryption-key")], {
      cwd: "/",
      env: { PATH, ...server.settings, ...both },
    });
    const status = await new Promise((resolve) => rotation.once("close", resolve));
    expect(status).toBe(0);
    await server.end("SIGTERM");
    await server.startAgain({ ENCRYPTION_KEY: newKey });
    const { counts } = await ended(String(created.body.batchId));
    const runs = await runsOf(String(created.body.batchId));
    for (const { output, error } of runs) {
      // The graceful stops interrupt what does not finish in time.
      if (output === undefined) expect(error?.code).toBe("interrupted");
      else expect(output.length).toBe(6);
    }
    expect(counts.completed).toBeGreaterThanOrEqual(runsPerBatch - 2);
  });
});
