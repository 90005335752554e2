import type { ServerResponse } from "node:http";
import { createOutbound } from "@toolhost/sandbox";
import { afterEach, describe, expect, it } from "vitest";
import {
  eventOf,
  initialized,
  sendJson,
  serverWith,
  startMcpUpstream,
} from "#testing/mcp-upstream";
import type { Answer } from "#testing/mcp-upstream";
import type { McpEndpoint } from "./definition.ts";
import { definitionHash } from "./definition-hash.ts";
import { listTools } from "./list-tools.ts";
import { McpServerError } from "./mcp-server-error.ts";

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" },
});
const token = "Bearer s3cret-t0ken-of-upstream";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(answer: Answer, allowed = true) {
  const upstream = await startMcpUpstream(answer);
  const outbound = createOutbound({
    privateHosts: allowed ? [upstream.host] : [],
    connectMs: 1_000,
    totalMs: 15_000,
    maxAnswerBytes: 1_000,
  });
  closing.push(
    () => upstream.close(),
    () => outbound.close(),
  );
  const list = (rest: Partial<McpEndpoint> = {}, signal?: AbortSignal) =>
    listTools(
      outbound,
      { url: upstream.url, transport: "auto", headers: { Authorization: token }, ...rest },
      signal,
    );
  return { upstream, list };
}

async function failure(promise: Promise<unknown>): Promise<McpServerError> {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  if (!(error instanceof McpServerError)) throw new Error(`No error: ${String(error)}`);
  expect(error.message).not.toContain("s3cret");
  expect(error.message.length).toBeLessThan(500);
  return error;
}

const problemOf = async (answer: Answer, rest: Partial<McpEndpoint> = {}) =>
  (await failure((await start(answer)).list(rest))).problem;

const names = (listing: { tools: { definition: { name: string } }[] }) =>
  listing.tools.map(({ definition }) => definition.name);

/** A server of the older transport, with all messages on one stream. */
function oldServer(answer: Answer, endpoint = "/messages?id=1"): Answer {
  let stream: ServerResponse | undefined;
  return async (received, response) => {
    if (received.method === "GET") {
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      return undefined;
    }
    if (!received.path.startsWith("/messages")) return void response.writeHead(405).end();
    response.writeHead(202).end();
    const result = await answer(received, response);
    if (result !== undefined) stream?.write(eventOf({ id: received.message.id, result }));
    return undefined;
  };
}

describe("listTools", () => {
  it("lists the tools of a server with sessions, and ends the session", async () => {
    const { upstream, list } = await start(({ message, method }, response) => {
      if (message?.method === "initialize") {
        const headers = { "mcp-session-id": "session-1" };
        sendJson(response, { id: message.id, result: initialized() }, headers);
      }
      if (method === "DELETE") response.writeHead(200).end();
      return message?.method === "tools/list" ? { tools: [tool("one"), tool("two")] } : undefined;
    });
    const listing = await list();
    expect(names(listing)).toEqual(["one", "two"]);
    expect(listing).toMatchObject({
      serverInfo: { name: "upstream", version: "1" },
      protocolVersion: "2025-06-18",
      transport: "http",
      skipped: [],
    });
    expect(listing.tools[0]?.hash).toBe(definitionHash(tool("one")));
    await expect.poll(() => upstream.methods().at(-1)).toBe("DELETE");
    expect(upstream.methods()).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
      "DELETE",
    ]);
    const after = upstream.received.slice(2).map(({ headers }) => headers);
    for (const headers of after) {
      expect(headers).toMatchObject({
        "mcp-session-id": "session-1",
        "mcp-protocol-version": "2025-06-18",
        authorization: token,
      });
    }
  });

  it("lists the tools of a server of 2026-07-28 without a session", async () => {
    const { upstream, list } = await start(({ message }) => {
      const about = { serverInfo: { name: "new" }, capabilities: { tools: {} } };
      if (message?.method === "server/discover") {
        return { resultType: "complete", supportedVersions: ["2026-07-28"], ...about };
      }
      return message?.method === "tools/list" ? { tools: [tool("one")] } : undefined;
    });
    const listing = await list();
    expect([names(listing), listing.protocolVersion]).toEqual([["one"], "2026-07-28"]);
    expect(upstream.methods()).toEqual(["server/discover", "tools/list"]);
    expect(upstream.received[1]).toMatchObject({
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      message: {
        params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
      },
    });
  });

  it("falls back to the older transport, and uses it at once if it is chosen", async () => {
    const { upstream, list } = await start(oldServer(serverWith([tool("one")])));
    const listing = await list();
    expect([names(listing), listing.transport]).toEqual([["one"], "sse"]);
    upstream.received.length = 0;
    expect(names(await list({ transport: "sse" }))).toEqual(["one"]);
    expect(upstream.methods()[0]).toBe("GET");
  });

  it("reads answers as events, whatever their line breaks and pieces are", async () => {
    const { list } = await start(async ({ message }, response) => {
      if (message?.method === "initialize") return initialized();
      if (message?.method !== "tools/list") return undefined;
      const result = JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        result: { tools: [tool("é")] },
      });
      const middle = result.indexOf(",");
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const events =
        `: comment\r\n\r\nid: 0\ndata: \n\nevent: other\ndata: {]\n\n` +
        `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\r\r` +
        `data: {"jsonrpc":"2.0","id":"other","result":{"tools":[]}}\n\n` +
        `data:${result.slice(0, middle)}\r\ndata: ${result.slice(middle)}\r\n\r\n`;
      for (const byte of Buffer.from(events)) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      return undefined;
    });
    expect(names(await list())).toEqual(["é"]);
  });

  it("follows cursors", async () => {
    const { list } = await start(({ message }) => {
      if (message?.method === "initialize") return initialized();
      if (message?.method !== "tools/list") return undefined;
      const page = Number(message.params.cursor ?? 0);
      return { tools: [tool(`t${page}`)], ...(page < 3 && { nextCursor: String(page + 1) }) };
    });
    expect(names(await list())).toEqual(["t0", "t1", "t2", "t3"]);
  });

  it("lists nothing for a server without tools", async () => {
    const { upstream, list } = await start(({ message }) =>
      message?.method === "initialize" ? { ...initialized(), capabilities: {} } : undefined,
    );
    expect(names(await list())).toEqual([]);
    expect(upstream.methods()).not.toContain("tools/list");
  });

  it("returns the challenge of a refusal", async () => {
    const challenge = `Bearer error="invalid_token", scope="read write"`;
    const { list } = await start((_, response) => {
      response.writeHead(401, { "www-authenticate": challenge }).end("s3cret-t0ken-of-upstream");
    });
    expect(await failure(list())).toMatchObject({ problem: "unauthorized", challenge });
  });

  it.each<[string, string, Answer]>([
    ["not_mcp_server", "a web page", (_, response) => void response.end("<html></html>")],
    ["not_mcp_server", "nothing", (_, response) => void response.writeHead(404).end()],
    ["unreachable", "an overload", (_, response) => void response.writeHead(503).end()],
    ["unreachable", "a closed connection", (_, response) => void response.destroy()],
    [
      "bad_response",
      "no list",
      ({ message }) => (message?.method === "tools/list" ? { tools: {} } : initialized()),
    ],
    ["bad_response", "an unknown revision", () => initialized("2099-01-01")],
    [
      "bad_response",
      "half an answer",
      ({ message }, response) => {
        if (message?.method === "initialize") return initialized();
        response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"jsonrpc"');
        return undefined;
      },
    ],
    [
      "too_large",
      "too many pages",
      ({ message }) =>
        message?.method === "initialize"
          ? initialized()
          : { tools: [], nextCursor: `${Math.random()}` },
    ],
    [
      "too_large",
      "too many tools",
      serverWith(Array.from({ length: 1_001 }, (_, at) => tool(`t${at}`))),
    ],
    [
      "too_large",
      "too many bytes",
      serverWith([{ ...tool("one"), description: "x".repeat(6_000_000) }]),
    ],
    [
      "bad_response",
      "a complex answer",
      serverWith([{ ...tool("one"), examples: Array.from({ length: 80_000 }, () => []) }]),
    ],
    [
      "too_large",
      "more tools than arguments of a call",
      ({ message }) =>
        message?.method === "initialize"
          ? initialized()
          : { tools: Array.from({ length: 200_000 }, () => 0) },
    ],
    ["bad_response", "the credential", serverWith([{ ...tool("one"), description: token }])],
    [
      "bad_response",
      "the credential without its scheme, as a name",
      serverWith([{ ...tool("one"), [token.replace("Bearer ", "")]: 1 }]),
    ],
    [
      "bad_response",
      "the credential between invisible characters",
      serverWith([{ ...tool("one"), description: token.split("").join("\u200b") }]),
    ],
    [
      "bad_response",
      "the credential in escapes",
      ({ message }, response) => {
        if (message?.method === "initialize") return initialized();
        const escaped = token
          .split("")
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
        const tools = JSON.stringify([{ ...tool("one"), description: "-" }]);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(
          `{"jsonrpc":"2.0","id":${message?.id},"result":{"tools":${tools.replace('"-"', `"${escaped.join("")}"`)}}}`,
        );
        return undefined;
      },
    ],
  ])("reports %s for %s", async (problem, _, answer) => {
    expect(await problemOf(answer)).toBe(problem);
  });

  it("reports an endless stream as too large, or as too late", async () => {
    const endless: Answer = ({ message }, response) => {
      if (message?.method === "initialize") return initialized();
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(`: ${"x".repeat(500_000)}\n\n`), 5);
      response.on("close", () => clearInterval(timer));
      return undefined;
    };
    expect(await problemOf(endless)).toBe("too_large");
    const { list } = await start(endless);
    const aborted = await list({}, AbortSignal.timeout(50)).catch((error: unknown) => error);
    expect(aborted).toMatchObject({ name: "TimeoutError" });
  });

  it("ends after ten seconds", { timeout: 20_000 }, async () => {
    const { list } = await start(({ message }, response) => {
      if (message?.method === "initialize") return initialized();
      if (message?.method !== "tools/list") return undefined;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": drip\n\n"), 100);
      response.on("close", () => clearInterval(timer));
      return undefined;
    });
    const startedAt = performance.now();
    expect((await failure(list())).problem).toBe("timeout");
    expect(performance.now() - startedAt).toBeLessThan(11_000);
  });

  it(
    "lists a server that leaves an unknown method without an answer",
    { timeout: 20_000 },
    async () => {
      const { list } = await start(({ message }, response) => {
        if (message?.method === "server/discover") return response.flushHeaders();
        return serverWith([tool("one")])({ message, method: "", path: "", headers: {} }, response);
      });
      expect(names(await list())).toEqual(["one"]);
    },
  );

  it("quotes an error of the server as visible text of limited length", async () => {
    const { list } = await start(({ message }, response) => {
      if (message?.method === "initialize") return initialized();
      const text = `\u001b[31mn\u202e${"x".repeat(1_000)}`;
      sendJson(response, { id: message?.id, error: { code: -1, message: text } });
      return undefined;
    });
    const { problem, message } = await failure(list());
    expect(problem).toBe("bad_response");
    expect(message).toMatch(/^The server answered with error -1: "\[31mnx+…"$/);
  });

  it("does not follow redirects, and sends the credential nowhere else", async () => {
    const other = await startMcpUpstream(() => initialized());
    closing.push(() => other.close());
    const { list } = await start((_, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const { problem, message } = await failure(list());
    expect([problem, message]).toEqual(["not_mcp_server", expect.stringContaining(other.url)]);
    expect(other.received).toEqual([]);
  });

  it.each([
    ["https://other.test/mcp?key=s3cret-t0ken-of-upstream#x", "another address"],
    ["https://other.test/s3cret-t0ken-of-upstream", "another address"],
    ["https://other.test/%733cret-t0ken-of-upstream", "another address"],
    ["javascript:alert(1)", "another address"],
    ["https://user:word@other.test/mcp?state=1#x", '"https://other.test/mcp"'],
  ])("reports the redirect to %s with at most its host and path", async (location, shown) => {
    const { list } = await start((_, response) => {
      response.writeHead(302, { location }).end();
    });
    expect((await failure(list())).message).toBe(
      `The server redirects to ${shown}. Import it from that address if you trust it.`,
    );
  });

  it("sends messages of the older transport to no other host", async () => {
    const other = await startMcpUpstream(() => initialized());
    closing.push(() => other.close());
    const answer = oldServer(serverWith([]), `${other.url}/messages`);
    expect(await problemOf(answer, { transport: "sse" })).toBe("bad_response");
    expect(other.received).toEqual([]);
  });

  it("reports addresses that the network rules deny, and addresses of no server", async () => {
    const { list } = await start(() => initialized(), false);
    expect((await failure(list())).problem).toBe("egress_denied");
    expect((await failure(list({ url: "https://169.254.169.254/mcp" }))).problem).toBe(
      "egress_denied",
    );
    for (const url of [
      "file:///etc/passwd",
      "https://user:pass@example.com/",
      "mcp",
      "https://a_b/",
    ]) {
      expect([url, (await failure(list({ url }))).problem]).toEqual([url, "invalid_url"]);
    }
  });

  it("declines requests of the server", async () => {
    const answers: unknown[] = [];
    const { list } = await start(({ message }, response) => {
      if (message?.method === "initialize") return initialized();
      if (message?.method === undefined && message !== undefined) answers.push(message);
      if (message?.method !== "tools/list") return undefined;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(eventOf({ id: "q1", method: "roots/list" }));
      response.write(eventOf({ id: "q2", method: "ping" }));
      setTimeout(
        () => response.end(eventOf({ id: message.id, result: { tools: [tool("one")] } })),
        100,
      );
      return undefined;
    });
    expect(names(await list())).toEqual(["one"]);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: "q1", error: { code: -32601, message: expect.any(String) } },
      { jsonrpc: "2.0", id: "q2", result: {} },
    ]);
  });
});
