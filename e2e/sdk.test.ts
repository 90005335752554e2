import { createClient, RunFailedError } from "@toolhost/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSlowProxy } from "../server/testing/slow-proxy.ts";
import { findFreePort } from "./src/service-process.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let sleeper: string;
let restartable: string;

const sleep = `export default async ({ ms }, ctx) => {
  for (let line = 0; line < 20; line++) {
    console.log("line " + line);
    ctx.progress(line / 20);
    await new Promise((done) => setTimeout(done, ms / 20));
  }
  return { ms };
}`;

beforeAll(async () => {
  const port = await findFreePort();
  server = await startServer({ PORT: String(port), KEY_MAX_STREAMS: "1" });
  sleeper = await server.makeTool(sleep);
  restartable = await server.makeTool(sleep, { idempotent: true });
});
afterAll(() => server?.stop());

const connect = (baseUrl = server.baseUrl) => createClient({ baseUrl, apiKey: server.apiKey });

describe("the client", () => {
  test("returns the one run when the service is killed during a call and starts again", async () => {
    const client = createClient({
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      // A busy machine needs long to start the service.
      maxRetries: 30,
    });
    const interrupted = client.run(sleeper, { ms: 3_000 }).catch((error: unknown) => error);
    const restarted = client.run(restartable, { ms: 3_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await server.end("SIGKILL");
    await server.startAgain();
    const error = await interrupted;
    expect(error).toBeInstanceOf(RunFailedError);
    expect(["interrupted", "sandbox_lost"]).toContain((error as RunFailedError).code);
    expect(await restarted).toEqual({ ms: 3_000 });
    const runs = await Array.fromAsync(client.runs.list());
    expect(runs.map(({ toolName }) => toolName).toSorted()).toEqual(
      [sleeper, restartable].toSorted(),
    );
    expect(runs.map(({ runId }) => runId)).toContain((error as RunFailedError).runId);
  });

  test("continues a log after lost connections, without missing or repeated lines", async () => {
    const port = Number(new URL(server.baseUrl).port);
    const proxy = await startSlowProxy({ host: "127.0.0.1", port });
    const client = connect(`http://127.0.0.1:${proxy.port}`);
    const lines: string[] = [];
    const timer = setInterval(() => proxy.cut(), 700);
    try {
      const output = await client.run(
        sleeper,
        { ms: 3_000 },
        { onLog: ({ message }) => lines.push(message) },
      );
      expect(output).toEqual({ ms: 3_000 });
    } finally {
      clearInterval(timer);
      await proxy.close();
    }
    expect(lines).toEqual(Array.from({ length: 20 }, (_, line) => `line ${line}`));
  });

  test("waits as long as a 429 asks for, and then succeeds", async () => {
    const client = connect();
    const [first, second] = await Promise.all([
      client.runs.start(sleeper, { ms: 2_000 }),
      client.runs.start(sleeper, { ms: 2_000 }),
    ]);
    const startedAt = Date.now();
    const logs = await Promise.all(
      [first, second].map(({ runId }) =>
        Array.fromAsync(client.runs.logs(runId, { follow: true })),
      ),
    );
    expect(logs.map((events) => events.at(-1)?.type)).toEqual(["end", "end"]);
    expect(Date.now() - startedAt).toBeGreaterThan(5_000);
  });

  test(
    "waits for the next minute when the requests of this one are used up",
    { tags: ["nightly"] },
    async () => {
      await server.end("SIGTERM");
      await server.startAgain({ RATE_LIMIT_REQUESTS_PER_MINUTE: "5" });
      const client = connect();
      for (let call = 0; call < 7; call++) expect(await client.request("GET /me")).toBeDefined();
      await server.end("SIGTERM");
      await server.startAgain({ RATE_LIMIT_REQUESTS_PER_MINUTE: "0" });
    },
  );
});
