import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { scopes } from "@toolhost/contract";
import { draftOf, expectStatus, startServer } from "../src/server.ts";
import type { Server } from "../src/server.ts";
import type { Call } from "../src/http.ts";
import { createCall } from "../src/http.ts";
import { spread } from "./report.ts";

/**
 * Measures how long occasional quick runs take while another workspace has a long queue of runs on the same node, and
 * how long without that queue.
 */
const quiet = { runs: 40, pauseMs: 250 };
const flood = { waiting: 200, runMs: 200 };
const sleeper = `export default async ({ ms }) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return {};
};`;

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

for (const settings of [{}, { NODE_MAX_CONCURRENT_RUNS: "4" }]) await measure(settings);

async function measure(settings: Record<string, string>): Promise<void> {
  const server = await startServer(settings);
  try {
    const named = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    print(named.length === 0 ? "Default settings:" : `${named.join(", ")}:`);
    const callAsOther = await addWorkspace(server);
    const noisy = await server.makeTool(sleeper);
    const { body } = expectStatus(201, await callAsOther("POST", "/tools", draftOf(sleeper)));
    const tool = String(body.name);
    await timeRuns(callAsOther, tool, 5);
    print(`  no other load: ${spread(await timeRuns(callAsOther, tool, quiet.runs))}`);
    const stopFlood = floodQueue(server, noisy);
    await sleep(1_000);
    const times = await timeRuns(callAsOther, tool, quiet.runs);
    const { ended, tookMs } = await stopFlood();
    print(
      `  another workspace has ${flood.waiting} queued runs of ${flood.runMs} ms: ${spread(times)}`,
    );
    print(`  that workspace got ${((ended / tookMs) * 1_000).toFixed(1)} runs/s`);
  } finally {
    await server.stop();
  }
}

/** Runs a quick tool at intervals and returns the durations. */
async function timeRuns(call: Call, tool: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    const answer = expectStatus(200, await call("POST", `/run/${tool}`, { ms: 0 }));
    if (answer.body.status !== "completed") throw new Error(answer.text);
    times.push(performance.now() - startedAt);
    await sleep(Math.max(0, quiet.pauseMs - (performance.now() - startedAt)));
  }
  return times;
}

/** Maintains a number of running or queued runs until it is stopped, then waits for the last. */
function floodQueue(
  server: Server,
  tool: string,
): () => Promise<{ ended: number; tookMs: number }> {
  const stop = new AbortController();
  const startedAt = performance.now();
  let ended = 0;
  const client = async () => {
    while (!stop.signal.aborted) {
      expectStatus(200, await server.run(tool, { ms: flood.runMs }));
      ended += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: flood.waiting }, client));
  return async () => {
    const figures = { ended, tookMs: performance.now() - startedAt };
    stop.abort();
    await clients;
    return figures;
  };
}

/** Creates a second workspace of the owner, with an API key. */
async function addWorkspace(server: Server): Promise<Call> {
  const id = randomUUID();
  const me = expectStatus(200, await server.callAsOwner("GET", "/me"));
  const database = new DatabaseSync(join(server.dataDir, "toolhost.db"));
  database
    .prepare("insert into workspaces (id, name, slug, created_at) values (?, 'Other', ?, ?)")
    .run(id, id, Date.now());
  database
    .prepare(
      "insert into members (id, workspace_id, user_id, role, created_at) values (?, ?, ?, 'owner', ?)",
    )
    .run(randomUUID(), id, String(me.body.user.id), Date.now());
  database.close();
  const draft = { name: "Other", scopes: Object.keys(scopes) };
  const headers = { "x-workspace-id": id };
  const key = expectStatus(201, await server.callAsOwner("POST", "/api-keys", draft, headers));
  return createCall(
    () => server.baseUrl,
    () => ({ authorization: `Bearer ${key.body.key}` }),
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
