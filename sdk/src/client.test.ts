import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "../../server/testing/service.ts";
import type { TestService } from "../../server/testing/service.ts";
import {
  createBatches,
  createClient,
  createWebhooks,
  isApiError,
  RunFailedError,
  TimeoutError,
  ToolhostError,
} from "./index.ts";
import type { Client, RunBatch } from "./index.ts";
import { uploadPath } from "./node.ts";

let service: TestService;
let client: Client;
let adder: string;
let sleeper: string;

beforeAll(async () => {
  service = await startTestService();
  client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const number = { type: "number" };
  adder = await service.makeTool("export default ({ a, b }) => ({ sum: a + b })", {
    title: "Add numbers",
    inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
  });
  sleeper = await service.makeTool(
    `export default async ({ ms }, ctx) => {
      console.log("start");
      ctx.progress(0.5, "half");
      await new Promise((done) => setTimeout(done, ms));
      console.log("end");
      return { ms };
    }`,
  );
});
afterAll(() => service?.stop());

describe("createClient", () => {
  it("throws without the address of a service, and for one that is not HTTP", () => {
    expect(() => createClient()).toThrow(ToolhostError);
    expect(() => createClient({ baseUrl: "ftp://tools.example.com" })).toThrow(ToolhostError);
    expect(createClient({ baseUrl: "https://a.example/sub" }).baseUrl).toBe(
      "https://a.example/sub/",
    );
  });

  it("asks the function for another key once after a key is rejected", async () => {
    const rejected: (string | undefined)[] = [];
    const renewing = createClient({
      baseUrl: service.baseUrl,
      apiKey: async (key) => {
        rejected.push(key);
        return key === undefined ? "expired" : service.apiKey;
      },
    });
    expect(await renewing.run(adder, { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(rejected).toEqual([undefined, "expired"]);
    const stubborn = createClient({ baseUrl: service.baseUrl, apiKey: () => "expired" });
    await expect(stubborn.run(adder)).rejects.toMatchObject({
      code: "unauthenticated",
      status: 401,
    });
  });
});

describe("run", () => {
  it("returns the output", async () => {
    expect(await client.run<{ sum: number }>(adder, { a: 1, b: 2 })).toEqual({ sum: 3 });
  });

  it("throws RunFailedError with the code, the message and the run", async () => {
    const broken = await service.makeTool('export default () => { throw new Error("no luck") }');
    const error = await client.run(broken).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error).toMatchObject({
      code: "tool_error",
      message: expect.stringContaining("no luck") as string,
    });
    const { runId } = error as RunFailedError;
    expect(await client.runs.get(runId)).toMatchObject({ status: "failed" });
  });

  it("throws ApiError with a pointer to each wrong field", async () => {
    const error: unknown = await client
      .run(adder, { a: "x", b: 2 })
      .catch((caught: unknown) => caught);
    if (!isApiError(error, "invalid_input")) throw error;
    expect(error.errors).toMatchObject([{ path: "/a" }]);
    expect(error.requestId).toMatch(/./);
    expect(isApiError(error, "credentials_missing")).toBe(false);
  });

  it("throws TimeoutError with the ID of the run, which continues", async () => {
    const error = await client
      .run(sleeper, { ms: 4_000 }, { timeoutMs: 2_500 })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TimeoutError);
    const { runId = "" } = error as TimeoutError;
    expect(await client.runs.wait(runId)).toMatchObject({ status: "completed" });
  });

  it("rejects with the reason of the signal", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.timeout(60_000);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 300);
    const running = client.run(
      sleeper,
      { ms: 2_000 },
      { signal: AbortSignal.any([signal, controller.signal]) },
    );
    await expect(running).rejects.toBe(reason);
  });

  it("reports progress and log lines", async () => {
    const seen: string[] = [];
    const output = await client.run(
      sleeper,
      { ms: 200 },
      {
        onProgress: ({ fraction }) => seen.push(`${fraction}`),
        onLog: ({ message }) => seen.push(message),
      },
    );
    expect(output).toEqual({ ms: 200 });
    expect(seen.toSorted()).toEqual(["0.5", "end", "start"]);
  });

  it("starts one run for several calls with the same key", async () => {
    const idempotencyKey = crypto.randomUUID();
    const calls = [1, 2, 3].map(() => client.run(sleeper, { ms: 300 }, { idempotencyKey }));
    expect(await Promise.all(calls)).toEqual([{ ms: 300 }, { ms: 300 }, { ms: 300 }]);
    const runs = await Array.fromAsync(client.runs.list({ toolName: sleeper, limit: 5 }));
    expect(runs.filter(({ input }) => input?.["ms"] === 300)).toHaveLength(1);
  });
});

describe("runs", () => {
  it("streams the events of a run until its end", async () => {
    const { runId, status } = await client.runs.start(sleeper, { ms: 500 });
    expect(status).toBe("running");
    const events = await Array.fromAsync(client.runs.logs(runId, { follow: true }));
    expect(events.filter(({ type }) => type === "log")).toMatchObject([
      { message: "start" },
      { message: "end" },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "end", run: { runId, status: "completed" } });
    const log = await Array.fromAsync(client.runs.logs(runId));
    expect(log).toEqual(events.filter(({ type }) => type === "log"));
  });

  it("cancels a run", async () => {
    const { runId } = await client.runs.start(sleeper, { ms: 20_000 });
    await client.runs.cancel(runId);
    expect(await client.runs.wait(runId)).toMatchObject({ status: "cancelled" });
  });

  it("lists all pages", async () => {
    const all = await Array.fromAsync(client.runs.list({ limit: 200 }));
    const paged = await Array.fromAsync(client.runs.list({ limit: 2 }));
    expect(paged.map(({ runId }) => runId)).toEqual(all.map(({ runId }) => runId));
    expect(all.length).toBeGreaterThan(4);
  });
});

describe("files", () => {
  const bytes = (size: number) => new Uint8Array(size).map((_, index) => index % 251);

  it.each([10, 5 * 1024 * 1024])("uploads and downloads %i bytes", async (size) => {
    const data = bytes(size);
    const file = await client.files.upload(data, {
      fileName: "a b.bin",
      mimeType: "application/x-test",
    });
    expect(file).toMatchObject({
      fileName: "a b.bin",
      mimeType: "application/x-test",
      size,
      status: "ready",
    });
    const response = await client.files.download(file.fileId);
    expect(response.headers.get("content-type")).toBe("application/x-test");
    expect(Buffer.from(await response.arrayBuffer()).equals(data)).toBe(true);
  });

  it("uploads a stream", async () => {
    const stream = new Blob([bytes(1_000)]).stream();
    expect(await client.files.upload(stream)).toMatchObject({ size: 1_000, status: "ready" });
  });

  it.each([
    ["table.csv", "text/csv"],
    ["PHOTO.JPEG", "image/jpeg"],
    ["data.unknown", "application/octet-stream"],
    ["README", "application/octet-stream"],
  ])("uploads %s from a path with the type %s", async (name, type) => {
    const folder = await mkdtemp(join(tmpdir(), "toolhost-sdk-"));
    try {
      const path = join(folder, name);
      await writeFile(path, "a,b");
      const file = await uploadPath(client, path);
      expect(file).toMatchObject({ fileName: name, mimeType: type, size: 3 });
      const other = await uploadPath(client, path, { mimeType: "text/plain", fileName: "b" });
      expect(other).toMatchObject({ fileName: "b", mimeType: "text/plain" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("uploads files in an input", async () => {
    const reader = await service.makeTool(
      `export default async ({ report, more }, ctx) => ({
        texts: await Promise.all([report, ...more].map(async (id) => (await ctx.files.open(id)).text())),
      })`,
      {
        fileFields: ["report", "more"],
        inputSchema: {
          type: "object",
          properties: { report: { type: "string" }, more: { type: "array" } },
        },
      },
    );
    const report = new File(["a,b"], "report.csv", { type: "text/csv" });
    const output = await client.run(reader, { report, more: [new Blob(["1"]), new Blob(["2"])] });
    expect(output).toEqual({ texts: ["a,b", "1", "2"] });
    const again = () => client.run(reader, { report, more: [new Blob(["1"])] }, { idempotencyKey });
    const idempotencyKey = crypto.randomUUID();
    expect([await again(), await again()]).toEqual([
      { texts: ["a,b", "1"] },
      { texts: ["a,b", "1"] },
    ]);
    const runs = await Array.fromAsync(client.runs.list({ toolName: reader }));
    expect(runs).toHaveLength(2);
  });
});

describe("createBatches", () => {
  it("creates, follows, lists and cancels batches", async () => {
    const batches = createBatches(client);
    const inputs = [1, 2, 3].map((a) => ({ a, b: 1 }));
    const { batchId } = await batches.create(adder, inputs);
    const shown: string[] = [];
    const onProgress = ({ status }: RunBatch) => void shown.push(status);
    const ended = await batches.wait(batchId, { onProgress, timeoutMs: 30_000 });
    expect(ended).toMatchObject({ status: "completed", counts: { completed: 3 } });
    expect(shown.at(-1)).toBe("completed");
    const runs = await Array.fromAsync(batches.runs(batchId, { limit: 2 }));
    expect(runs.map(({ output }) => output)).toEqual([{ sum: 4 }, { sum: 3 }, { sum: 2 }]);
    const slow = await batches.create(sleeper, [{ ms: 60_000 }]);
    await expect(batches.wait(slow.batchId, { timeoutMs: 100 })).rejects.toThrow(TimeoutError);
    await batches.cancel(slow.batchId);
    expect((await batches.wait(slow.batchId)).status).toBe("cancelled");
    const listed = await Array.fromAsync(batches.list({ limit: 1 }));
    expect(listed.map((one) => one.batchId)).toEqual([slow.batchId, batchId]);
    expect((await batches.get(batchId)).total).toBe(3);
  });
});

describe("createWebhooks", () => {
  it("manages webhooks with a session, and is refused with a key", async () => {
    const headers = { cookie: service.cookie, origin: service.baseUrl };
    const session = createClient({
      baseUrl: service.baseUrl,
      headers,
      workspaceId: service.workspaceId,
    });
    const webhooks = createWebhooks(session);
    await expect(createWebhooks(client).list()).rejects.toMatchObject({ code: "forbidden" });
    const created = await webhooks.create({ url: "https://127.0.0.1/hook" });
    expect(created.secret).toMatch(/^whsec_/);
    const { id } = created;
    expect(await webhooks.update(id, { description: "Ledger" })).toMatchObject({ id });
    expect((await webhooks.rotateSecret(id)).secret).not.toBe(created.secret);
    expect(await webhooks.test(id)).toMatchObject({ delivered: false, status: null });
    await client.run(adder, { a: 1, b: 2 });
    const deliveries = await Array.fromAsync(webhooks.deliveries(id, { limit: 1 }));
    expect(deliveries).toMatchObject([{ type: "run.completed" }]);
    const eventId = deliveries[0]?.eventId ?? "";
    await expect(webhooks.requeue(id, { eventId })).rejects.toMatchObject({ code: "not_found" });
    await webhooks.requeue(id, "dead");
    expect(await webhooks.list()).toMatchObject([{ id, description: "Ledger" }]);
    await webhooks.delete(id);
    expect(await webhooks.list()).toEqual([]);
  });
});

describe("request", () => {
  it("calls any route with its types", async () => {
    const me = await client.request("GET /me");
    expect(me.workspace?.id).toBe(service.workspaceId);
    const created = await client.request("POST /credentials", {
      body: { name: "WEATHER_KEY", value: "secret value", hosts: ["api.example.com"] },
    });
    expect(created).toMatchObject({ name: "WEATHER_KEY", owner: "user" });
    const credentials = await Array.fromAsync(client.list("/credentials"));
    expect(credentials.map(({ name }) => name)).toEqual(["WEATHER_KEY"]);
    const params = { name: "WEATHER_KEY" };
    expect(await client.request("DELETE /credentials/{name}", { params })).toBeUndefined();
    const types = await client.fetch("GET /tools/{name}/types", { params: { name: adder } });
    expect(await types.text()).toContain("type Input");
  });

  it("throws for a parameter that would change the path", async () => {
    for (const name of ["", ".", ".."]) {
      await expect(client.tools.get(name)).rejects.toThrow(ToolhostError);
    }
    await expect(client.tools.get("a/../../b?c#d")).rejects.toMatchObject({
      code: "tool_not_found",
    });
  });

  it("finds and lists tools", async () => {
    const [best] = await client.tools.search("add two numbers", { limit: 3 });
    expect(best?.title).toBe("Add numbers");
    const names = (await Array.fromAsync(client.tools.list({ limit: 3 }))).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([adder, sleeper]));
  });
});
