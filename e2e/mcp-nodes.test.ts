import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { createRpc } from "./src/mcp-http.ts";
import { proves } from "./src/proves.ts";
import { startSecondNode } from "./src/second-node.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const sleeper = "export default ({ ms }) => new Promise((done) => setTimeout(done, ms, { ms }))";

/** A stream of the old HTTP+SSE transport. */
async function openStream(baseUrl: string, token: string) {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}/api/mcp`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: closing.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  const endpoint = await until(
    "the stream names its address",
    10_000,
    () => /^event: endpoint\ndata: (.*)$/m.exec(text)?.[1],
  );
  const messages = () =>
    [...text.matchAll(/^event: message\ndata: (.*)$/gm)].map(
      ([, data = ""]) => JSON.parse(data) as { id: unknown; result?: { isError?: boolean } },
    );
  return {
    endpoint,
    answerTo: (id: unknown) =>
      until(`an answer to ${String(id)}`, 20_000, () => messages().find((one) => one.id === id)),
    close: async () => {
      closing.abort();
      await reading;
    },
  };
}

let server: Server;
let name: string;
beforeAll(async () => {
  server = await startServer();
  name = await server.makeTool(sleeper);
});
afterAll(() => server?.stop());

describe("the SSE transport", () => {
  test("responds on the stream, in its own revision, and cancels", proves("mcp.sse"), async () => {
    const stream = await openStream(server.baseUrl, server.apiKey);
    const rpc = createRpc(() => server.baseUrl, server.apiKey);
    const send = (message: object) =>
      rpc.send({ jsonrpc: "2.0", ...message }, { path: stream.endpoint });
    await send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    expect(await stream.answerTo(1)).toMatchObject({ result: { protocolVersion: "2024-11-05" } });
    const params = { name, arguments: { ms: 60_000 } };
    await send({ id: 2, method: "tools/call", params });
    await until("the run has started", 20_000, async () => {
      const { body } = await server.call("GET", "/runs?status=running");
      return body.length > 0;
    });
    const cancel = { method: "notifications/cancelled", params: { requestId: 2 } };
    await send(cancel);
    expect((await stream.answerTo(2)).result?.isError).toBe(true);
    await stream.close();
  });

  test("rejects messages for a stream from other callers", async () => {
    const stream = await openStream(server.baseUrl, server.apiKey);
    const { key } = await server.createKey({ name: "Other", scopes: ["mcp:read"] });
    const other = createRpc(() => server.baseUrl, key);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await other.send(ping, { path: stream.endpoint })).status).toBe(404);
    const path = "/api/mcp/messages?sessionId=01900000-0000-7000-8000-000000000000.x";
    expect((await createRpc(() => server.baseUrl, server.apiKey).send(ping, { path })).status).toBe(
      404,
    );
    await stream.close();
  });

  test("rejects invalid JSON immediately", async () => {
    const stream = await openStream(server.baseUrl, server.apiKey);
    const rpc = createRpc(() => server.baseUrl, server.apiKey);
    const { status, body } = await rpc.send("{", { path: stream.endpoint });
    expect([status, body.error.code]).toEqual([400, -32700]);
    await stream.close();
  });
});

describe.skipIf(dialect !== "postgres")("several nodes", () => {
  let other: ReadyService;

  beforeAll(async () => {
    other = await startSecondNode(server);
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
  });

  test(
    "sends responses on a stream for messages that reach another node",
    proves("mcp.sse"),
    async () => {
      const stream = await openStream(server.baseUrl, server.apiKey);
      const authorization = `Bearer ${server.apiKey}`;
      const post = (message: object) =>
        fetch(`${other.baseUrl}${stream.endpoint}`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        });
      for (const id of [1, 2, 3]) expect((await post({ id, method: "ping" })).status).toBe(202);
      for (const id of [1, 2, 3]) expect(await stream.answerTo(id)).toMatchObject({ result: {} });
      const params = { name, arguments: { ms: 60_000 } };
      await post({ id: "call", method: "tools/call", params });
      await until("the run has started", 20_000, async () => {
        const { body } = await server.call("GET", "/runs?status=running");
        return body.length > 0;
      });
      await post({ method: "notifications/cancelled", params: { requestId: "call" } });
      expect((await stream.answerTo("call")).result?.isError).toBe(true);
      await stream.close();
    },
  );

  test("cancels a call that another node serves", async () => {
    const at = (baseUrl: string) => createRpc(() => baseUrl, server.apiKey);
    const call = {
      jsonrpc: "2.0",
      id: "far",
      method: "tools/call",
      params: { name, arguments: { ms: 60_000 } },
    };
    const answering = at(server.baseUrl).send(call);
    await until("the run has started", 20_000, async () => {
      const { body } = await server.call("GET", "/runs?status=running");
      return body.length > 0;
    });
    const params = { requestId: "far" };
    await at(other.baseUrl).send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    expect((await answering).body.result.isError).toBe(true);
  });
});
