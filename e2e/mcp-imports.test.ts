import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createImporter } from "./src/import-tools.ts";
import type { Importer } from "./src/import-tools.ts";
import { startSdkUpstream } from "./src/sdk-upstream.ts";
import type { SdkUpstream, UpstreamKind } from "./src/sdk-upstream.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const kinds: UpstreamKind[] = ["sessions", "stateless", "sse"];
const upstreams = new Map<UpstreamKind, SdkUpstream>();
let server: Server;
/** A server of revision 2026-07-28. */
let modern: Server;
let importer: Importer;

const upstreamOf = (kind: UpstreamKind): SdkUpstream => {
  const found = upstreams.get(kind);
  if (found === undefined) throw new Error(`No server with ${kind}`);
  return found;
};

beforeAll(async () => {
  for (const kind of kinds) upstreams.set(kind, await startSdkUpstream(kind));
  modern = await startServer();
  const hosts = [...upstreams.values()].map(({ host }) => host);
  hosts.push(new URL(modern.baseUrl).host);
  server = await startServer({ EGRESS_PRIVATE_HOSTS: hosts.join(",") });
  importer = createImporter(server, hosts);
});
afterAll(async () => {
  await importer?.close();
  await server?.stop();
  await modern?.stop();
  for (const upstream of upstreams.values()) upstream.close();
});

const list: Importer["list"] = (url, headers) => importer.list(url, headers);
const importTool: Importer["save"] = (...args) => importer.save(...args);

describe.each(kinds)("a server of the official SDK with %s", (kind) => {
  test("lists its tools, which run with results, files and progress", async () => {
    const { url } = upstreamOf(kind);
    const listing = await list(url);
    expect(listing).toMatchObject({
      serverInfo: { name: "sdk upstream" },
      transport: kind === "sse" ? "sse" : "http",
      skipped: [],
    });
    expect(listing.tools.map(({ definition }) => definition.name)).toEqual([
      "add",
      "work",
      "picture",
    ]);
    const add = await importTool(url, listing, "add");
    for (const b of [2, 3]) {
      const { body } = await server.run(add, { a: 1, b });
      expect(body).toMatchObject({
        status: "completed",
        output: { structuredContent: { sum: 1 + b } },
      });
    }
    const refused = await server.run(add, { a: 1 });
    expect(refused.status).toBe(400);
    const { body } = await server.run(await importTool(url, listing, "picture"));
    expect(body.output.files).toMatchObject([{ fileName: "image-1.png", size: 7 }]);
    const work = await importTool(url, listing, "work");
    const { body: started } = await server.call(
      "POST",
      `/run/${work}`,
      { ms: 1_000 },
      { prefer: "wait=0" },
    );
    await until("progress arrives", 15_000, async () => {
      const { body: record } = await server.call("GET", `/runs/${started.runId}`);
      return record.progress?.message === "a quarter";
    });
    expect(await server.finished(started.runId)).toMatchObject({ output: { text: "worked" } });
  });

  test("stops its work when a run is cancelled", async () => {
    const upstream = upstreamOf(kind);
    const work = await importTool(upstream.url, await list(upstream.url), "work");
    const before = upstream.cancelled;
    const { body } = await server.call(
      "POST",
      `/run/${work}`,
      { ms: 20_000 },
      { prefer: "wait=0" },
    );
    await until("progress arrives", 15_000, async () => {
      const { body: record } = await server.call("GET", `/runs/${body.runId}`);
      return record.progress?.message === "a quarter";
    });
    await server.call("POST", `/runs/${body.runId}/cancel`);
    expect((await server.finished(body.runId)).status).toBe("cancelled");
    // A server without sessions cannot know which call a later request means.
    if (kind === "stateless") return;
    await until("the server stops its work", 15_000, () => upstream.cancelled === before + 1);
  });
});

test("uses a session until the server forgets it", async () => {
  const upstream = upstreamOf("sessions");
  const add = await importTool(upstream.url, await list(upstream.url), "add");
  const before = upstream.sessions;
  for (let b = 0; b < 3; b += 1)
    expect((await server.run(add, { a: 1, b })).body.status).toBe("completed");
  expect(upstream.sessions).toBe(before + 1);
  upstream.forgetSessions();
  expect((await server.run(add, { a: 1, b: 2 })).body.status).toBe("completed");
  expect(upstream.sessions).toBe(before + 2);
});

test("reports an expired token with its credential, and uses a new one at once", async () => {
  const upstream = upstreamOf("sessions");
  upstream.tokens.add("first-token-of-upstream");
  await expect(list(upstream.url)).rejects.toMatchObject({
    problem: "unauthorized",
    challenge: expect.stringContaining(
      `http://${upstream.host}/.well-known/oauth-protected-resource`,
    ),
  });
  const listing = await list(upstream.url, { authorization: "Bearer first-token-of-upstream" });
  const name = "UPSTREAM_TOKEN";
  const hosts = [`http://${upstream.host}`];
  await server.call("POST", "/credentials", { name, value: "first-token-of-upstream", hosts });
  const add = await importTool(upstream.url, listing, "add", [
    { name, header: "authorization", prefix: "Bearer " },
  ]);
  expect((await server.run(add, { a: 1, b: 2 })).body.status).toBe("completed");
  upstream.tokens.delete("first-token-of-upstream");
  upstream.tokens.add("second-token-of-upstream");
  const { body } = await server.run(add, { a: 1, b: 2 });
  expect(body.error.message).toContain(`does not accept the credential ${name} (status 401)`);
  await server.call("PUT", `/credentials/${name}`, { value: "second-token-of-upstream" });
  expect((await server.run(add, { a: 1, b: 2 })).body.status).toBe("completed");
  upstream.tokens.clear();
});

test("imports another Toolhost as a server of revision 2026-07-28", async () => {
  const url = `${modern.baseUrl}/api/mcp`;
  const { host } = new URL(url);
  const sum = await modern.makeTool("export default ({ a, b }) => ({ sum: a + b })");
  const listing = await list(url, { authorization: `Bearer ${modern.apiKey}` });
  expect(listing).toMatchObject({
    protocolVersion: "2026-07-28",
    serverInfo: { name: "toolhost" },
  });
  const name = "OTHER_KEY";
  const value = modern.apiKey;
  await server.call("POST", "/credentials", { name, value, hosts: [`http://${host}`] });
  const execute = await importTool(url, listing, "service_execute_tool", [
    { name, header: "authorization", prefix: "Bearer " },
  ]);
  const { body } = await server.run(execute, { tool_name: sum, arguments: { a: 1, b: 2 } });
  expect(body).toMatchObject({
    status: "completed",
    output: { structuredContent: { status: "completed", output: { sum: 3 } } },
  });
});

test("runs a tool of another server for the official client, through the broker", async () => {
  const upstream = upstreamOf("sessions");
  const work = await importTool(upstream.url, await list(upstream.url), "work");
  const client = new Client(
    { name: "e2e", version: "1.0.0" },
    { versionNegotiation: { mode: "legacy" } },
  );
  const headers = { authorization: `Bearer ${server.apiKey}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/api/mcp`), {
      requestInit: { headers },
    }),
  );
  const progress: unknown[] = [];
  const call = (ms: number, signal?: AbortSignal) =>
    client.callTool(
      { name: "service_execute_tool", arguments: { tool_name: work, arguments: { ms } } },
      { onprogress: (one) => progress.push(one), ...(signal && { signal }) },
    );
  expect((await call(1_000)).structuredContent).toMatchObject({
    status: "completed",
    output: { text: "worked" },
  });
  expect(progress).toContainEqual(expect.objectContaining({ message: "a quarter" }));
  const before = upstream.cancelled;
  const controller = new AbortController();
  progress.length = 0;
  const cancelled = call(20_000, controller.signal).catch(() => undefined);
  await until("progress arrives", 15_000, () => progress.length > 0);
  controller.abort();
  await cancelled;
  await until("the server stops its work", 15_000, () => upstream.cancelled === before + 1);
  await client.close();
});
