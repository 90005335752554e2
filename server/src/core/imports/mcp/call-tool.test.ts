import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventOf, initialized, sendJson, startMcpUpstream } from "#testing/mcp-upstream";
import type { Answer, McpUpstream } from "#testing/mcp-upstream";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { buildTool } from "./build-tool.ts";
import type { BuildOptions, McpServer, McpToolDefinition } from "./definition.ts";

let service: TestService;
let upstream: McpUpstream;
let answer: Answer;

beforeAll(async () => {
  upstream = await startMcpUpstream((received, response) => answer(received, response));
  service = await startTestService({ EGRESS_PRIVATE_HOSTS: upstream.host });
});
afterAll(async () => {
  await service.stop();
  upstream.close();
});
beforeEach(() => {
  upstream.received.length = 0;
  sessions.clear();
});

const definition: McpToolDefinition = { name: "work", inputSchema: { type: "object" } };
const text = (value: string) => ({ content: [{ type: "text", text: value }] });

/** Saves an imported tool, and returns how to run it. */
async function importTool(
  rest: Partial<McpServer> = {},
  {
    tool: about = definition,
    ...options
  }: Partial<BuildOptions> & { tool?: McpToolDefinition } = {},
) {
  const server: McpServer = {
    url: upstream.url,
    transport: "http",
    protocolVersion: "2025-06-18",
    ...rest,
  };
  const checkSchema = async () => [];
  const { tool } = await buildTool(server, about, { checkSchema, ...options });
  const saved = await service.call("POST", "/tools", tool);
  expect(saved).toMatchObject({ status: 201 });
  const name = String(saved.body.name);
  return {
    name,
    run: async (input: object = {}) => (await service.call("POST", `/run/${name}`, input)).body,
    start: async (input: object = {}) => {
      const { body } = await service.call("POST", `/run/${name}`, input, { prefer: "wait=0" });
      return String(body.runId);
    },
  };
}

const recordOf = async (id: string) => (await service.call("GET", `/runs/${id}`)).body;
const sessions = new Set<string>();

/** A server with sessions. */
function withSessions(call: Answer, onTaskResult?: Answer): Answer {
  return (received, response) => {
    const { message, headers } = received;
    if (message?.method === "initialize") {
      const id = `session-${sessions.size + 1}`;
      sessions.add(id);
      sendJson(response, { id: message.id, result: initialized() }, { "mcp-session-id": id });
    } else if (!sessions.has(String(headers["mcp-session-id"]))) {
      response.writeHead(404).end();
    } else if (message?.method === "tools/call") return call(received, response);
    else if (message?.method === "tasks/result") return onTaskResult?.(received, response);
    return undefined;
  };
}

/** Answers a call with these chunks of a stream, and leaves the stream open. */
const streaming =
  (...chunks: string[]): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) response.write(chunk);
  };

describe("a session", () => {
  it("is used for further runs of the same user", async () => {
    answer = withSessions(() => text("done"));
    const { run } = await importTool();
    const input = { a: 1 };
    expect(await run(input)).toMatchObject({ status: "completed", output: { text: "done" } });
    await run(input);
    expect(upstream.methods()).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
    ]);
    const [{ message, headers }] = upstream.received.slice(-1) as [(typeof upstream.received)[0]];
    expect(message.params).toMatchObject({ name: "work", arguments: input });
    expect(headers).toMatchObject({
      "mcp-session-id": "session-1",
      "mcp-protocol-version": "2025-06-18",
    });
    expect(headers).not.toHaveProperty("x-toolhost-last-message");
  });

  it.each([404, 400])("is started again once when the server answers %d", async (status) => {
    answer = withSessions(() => text("done"));
    const { run } = await importTool();
    await run();
    answer = withSessions((_, response) => {
      if (sessions.size > 1) return text("again");
      return void response.writeHead(status).end();
    });
    expect(await run()).toMatchObject({ status: "completed", output: { text: "again" } });
    expect(upstream.methods().filter((method) => method === "tools/call")).toHaveLength(3);
    answer = withSessions((_, response) => void response.writeHead(status).end());
    expect(await run()).toMatchObject({ status: "failed" });
    expect(upstream.methods().filter((method) => method === "tools/call")).toHaveLength(5);
  });

  it.each([true, false])(
    "is started again after a 400 only if the error is not that of the call (%s)",
    async (isOurs) => {
      answer = withSessions(() => text("done"));
      const { run } = await importTool();
      await run();
      let count = 0;
      answer = withSessions(({ message }, response) => {
        count += 1;
        if (count > 1) return text("again");
        const error = { code: -32602, message: "Charged, then failed" };
        const body = { jsonrpc: "2.0", id: isOurs ? message?.id : null, error };
        response.writeHead(400, { "content-type": "application/json" });
        return void response.end(JSON.stringify(body));
      });
      const { status } = await run();
      expect([status, count]).toEqual(isOurs ? ["failed", 1] : ["completed", 2]);
    },
  );

  it("is not required", async () => {
    answer = ({ message }) =>
      message?.method === "initialize" ? initialized() : message?.id && text("ok");
    const { run } = await importTool();
    await run();
    expect(await run()).toMatchObject({ output: { text: "ok" } });
    expect(upstream.methods().filter((method) => method === "initialize")).toHaveLength(1);
  });
});

describe("a call", () => {
  it("is never repeated when the connection breaks", async () => {
    answer = withSessions(() => text("done"));
    const { run } = await importTool();
    await run();
    answer = withSessions((_, response) => void response.destroy());
    const { status, error } = await run();
    expect([status, error.message]).toEqual(["failed", expect.stringContaining("is unknown")]);
    expect(upstream.methods().filter((method) => method === "tools/call")).toHaveLength(2);
  });

  it("says that nothing was executed when the server cannot be reached", async () => {
    const gone = await startMcpUpstream(() => undefined);
    gone.close();
    await service.stop();
    service = await startTestService({
      EGRESS_PRIVATE_HOSTS: `${upstream.host},${gone.host},name.invalid`,
    });
    const cases: [string, string][] = [
      [gone.url, "connection refused"],
      ["http://name.invalid/mcp", "the name name.invalid could not be resolved"],
      [`https://${upstream.host}/mcp`, "the TLS handshake failed"],
    ];
    for (const [url, reason] of cases) {
      for (const protocolVersion of ["2025-06-18", "2026-07-28"]) {
        const { error } = await (await importTool({ url, protocolVersion })).run();
        expect(error.message).toContain(reason);
        expect(error.message).toMatch(
          /^The MCP server cannot be reached: .*\. The tool was not executed\.$/,
        );
      }
    }
  });

  it("reports progress and ends with the result, although the stream stays open", async () => {
    answer = withSessions(async ({ message }, response) => {
      const params = { progressToken: message.id, message: "half" };
      const progress = {
        method: "notifications/progress",
        params: { ...params, progress: 1, total: 2 },
      };
      await streaming(eventOf(progress))({ method: "", path: "", headers: {}, message }, response);
      await new Promise((resolve) => setTimeout(resolve, 400));
      response.write(eventOf({ id: "another", result: text("wrong") }));
      response.write(eventOf({ id: message.id, result: text("right") }));
    });
    const { run, start } = await importTool();
    const id = await start();
    await expect
      .poll(async () => (await recordOf(id)).progress)
      .toMatchObject({ fraction: 0.5, message: "half" });
    await expect.poll(async () => (await recordOf(id)).status).toBe("completed");
    expect(await run()).toMatchObject({ output: { text: "right" } });
  });

  it("tells the server when the run is cancelled, with the session and the credential", async () => {
    await service.call("POST", "/credentials", {
      name: "UPSTREAM_KEY",
      value: "s3cret-k3y-of-upstream",
      hosts: [`http://${upstream.host}`],
    });
    answer = withSessions(streaming(": working\n\n"));
    const credentials = [{ name: "UPSTREAM_KEY", header: "Authorization", prefix: "Bearer " }];
    const { start } = await importTool({}, { credentials });
    const id = await start();
    await expect.poll(() => upstream.methods()).toContain("tools/call");
    const call = upstream.received.find(({ message }) => message?.method === "tools/call");
    await service.call("POST", `/runs/${id}/cancel`);
    await expect.poll(() => upstream.methods().at(-1)).toBe("notifications/cancelled");
    const [{ message, headers }] = upstream.received.slice(-1) as [(typeof upstream.received)[0]];
    expect(message.params.requestId).toBe(call?.message.id);
    expect(headers).toMatchObject({
      authorization: "Bearer s3cret-k3y-of-upstream",
      "mcp-session-id": "session-1",
    });
    expect(await recordOf(id)).toMatchObject({ status: "cancelled", egress: [{ requests: 4 }] });
  });

  it("says which credential to connect again when the server does not accept it", async () => {
    answer = (_, response) => void response.writeHead(401).end("s3cret-k3y-of-upstream");
    const credentials = [{ name: "UPSTREAM_KEY", header: "Authorization", prefix: "Bearer " }];
    const { run } = await importTool({}, { credentials });
    const { error } = await run();
    expect(error.message).toBe(
      "The MCP server does not accept the credential UPSTREAM_KEY (status 401). Connect it again.",
    );
  });

  it("refuses requests of the server that it does not support", async () => {
    const answers: unknown[] = [];
    answer = (received, response) => {
      const { message } = received;
      if (message !== undefined && message.method === undefined) {
        answers.push(message);
        return undefined;
      }
      const call = withSessions(async ({ message: { id } }) => {
        await streaming(eventOf({ id: 7, method: "sampling/createMessage", params: {} }))(
          received,
          response,
        );
        await expect.poll(() => answers).toHaveLength(1);
        response.end(eventOf({ id, result: text("done without") }));
      });
      return call(received, response);
    };
    const { run } = await importTool();
    expect(await run()).toMatchObject({ output: { text: "done without" } });
    expect(answers).toMatchObject([{ id: 7, error: { code: -32601 } }]);
  });

  it("speaks 2026-07-28 in one request, with marked arguments in headers", async () => {
    answer = () => ({ ...text("done"), resultType: "complete" });
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    const about = { name: "wörk", inputSchema };
    const { run } = await importTool({ protocolVersion: "2026-07-28" }, { tool: about });
    expect(await run({ region: "zürich " })).toMatchObject({ output: { text: "done" } });
    expect(upstream.methods()).toEqual(["tools/call"]);
    const base64 = (value: string) => `=?base64?${Buffer.from(value).toString("base64")}?=`;
    expect(upstream.received[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": base64("wörk"),
      "mcp-param-region": base64("zürich "),
    });
  });

  it("closes the connection of a cancelled run, which cancels a call of 2026-07-28", async () => {
    let isClosed = false;
    answer = (received, response) => {
      response.on("close", () => (isClosed = true));
      return streaming(": working\n\n")(received, response);
    };
    const { start } = await importTool({ protocolVersion: "2026-07-28" });
    const id = await start();
    await expect.poll(() => upstream.methods()).toEqual(["tools/call"]);
    await service.call("POST", `/runs/${id}/cancel`);
    await expect.poll(() => isClosed).toBe(true);
    expect(upstream.methods()).toEqual(["tools/call"]);
  });

  describe("of a tool that runs as a task only", () => {
    const about = { ...definition, execution: { taskSupport: "required" } };
    const asTask = { protocolVersion: "2025-11-25" };
    const withTask = (onResult: Answer, taskId: unknown = "task-1") =>
      withSessions(
        ({ message }) => message.params.task && { task: { taskId, status: "working" } },
        onResult,
      );

    it("waits for the task, with its progress", async () => {
      answer = withTask(({ message }, response) => {
        const call = upstream.received.find((one) => one.message?.method === "tools/call");
        const progressToken = call?.message.params["_meta"].progressToken;
        const params = { progressToken, progress: 1, total: 2 };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(eventOf({ method: "notifications/progress", params }));
        response.end(eventOf({ id: message.id, result: text(message.params.taskId) }));
      });
      const { start } = await importTool(asTask, { tool: about });
      const id = await start();
      await expect.poll(async () => (await recordOf(id)).status).toBe("completed");
      expect(await recordOf(id)).toMatchObject({
        output: { text: "task-1" },
        progress: { fraction: 0.5 },
      });
    });

    it("cancels the task with the run", async () => {
      answer = withTask(streaming(": working\n\n"));
      const { start } = await importTool(asTask, { tool: about });
      const id = await start();
      await expect.poll(() => upstream.methods()).toContain("tasks/result");
      await service.call("POST", `/runs/${id}/cancel`);
      await expect.poll(() => upstream.methods().at(-1)).toBe("tasks/cancel");
      expect(upstream.received.at(-1)?.message.params).toEqual({ taskId: "task-1" });
    });

    it.each([["x\r\ny"], ["x".repeat(300)], [7], [""]])(
      "fails if the ID of the task is unusable: %j",
      async (taskId) => {
        answer = withTask(() => text("never"), taskId);
        const { run } = await importTool(asTask, { tool: about });
        const { status, error } = await run();
        expect([status, error.message]).toEqual([
          "failed",
          expect.stringContaining("The server started a task without a usable ID"),
        ]);
      },
    );
  });

  it("uses the older transport with one stream per run", async () => {
    let stream: ServerResponse | undefined;
    answer = ({ method, message, path }, response) => {
      if (method === "GET") {
        stream = response;
        streaming("event: endpoint\ndata: /messages\n\n")(
          { method, path, headers: {}, message },
          response,
        );
        return;
      }
      response.writeHead(202).end();
      const result = message.method === "initialize" ? initialized("2024-11-05") : text("old");
      if (message.id !== undefined) stream?.write(eventOf({ id: message.id, result }));
    };
    const { run } = await importTool({ transport: "sse" });
    expect(await run()).toMatchObject({ output: { text: "old" } });
    expect(await run()).toMatchObject({ output: { text: "old" } });
    expect(upstream.methods().filter((method) => method === "GET")).toHaveLength(2);
  });
});

describe("a result", () => {
  const resultOf = async (result: object) => {
    answer = withSessions(() => result);
    return (await importTool()).run();
  };

  it("fails the run with the tool's own error", async () => {
    const { status, error } = await resultOf({ ...text("no such file"), isError: true });
    expect([status, error]).toEqual(["failed", { code: "tool_error", message: "no such file" }]);
  });

  it("omits text that repeats the structured content", async () => {
    const structuredContent = { sum: 3 };
    expect((await resultOf({ ...text('{ "sum": 3 }'), structuredContent })).output).toEqual({
      structuredContent,
    });
    const other = { ...text("three"), structuredContent };
    expect((await resultOf(other)).output).toEqual({ text: "three", structuredContent });
  });

  it("saves images and large resources, and returns short resources and links", async () => {
    const { output } = await resultOf({
      content: [
        { type: "image", data: Buffer.from("image").toString("base64"), mimeType: "image/png" },
        { type: "audio", data: "AAAA", mimeType: "evil\r\nheader: x" },
        {
          type: "resource",
          resource: {
            uri: "file:///a/long.txt",
            mimeType: "text/plain",
            text: "x".repeat(100_001),
          },
        },
        { type: "resource", resource: { uri: "file:///short.txt", text: "short" } },
        { type: "resource_link", uri: "https://example.com/a", name: "a", extra: 1 },
        { type: "unknown" },
        null,
      ],
    });
    expect(output.files).toMatchObject([
      { fileName: "image-1.png", mimeType: "image/png", size: 5 },
      { fileName: "audio-2.bin", mimeType: "application/octet-stream", size: 3 },
      { fileName: "long.txt", mimeType: "text/plain", size: 100_001 },
    ]);
    expect(output.resources).toEqual([{ uri: "file:///short.txt", text: "short" }]);
    expect(output.links).toEqual([{ uri: "https://example.com/a", name: "a" }]);
  });
});

describe("a hostile server", () => {
  const failureOf = async (call: Answer) => {
    answer = withSessions(call);
    const { status, error } = await (await importTool()).run();
    expect(status).toBe("failed");
    return `${error.code}: ${error.message}`;
  };

  it.each<[string, Answer, string]>([
    [
      "sends an endless line",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write("x".repeat(1_000_000)), 5);
        response.on("close", () => clearInterval(timer));
      },
      "tool_error: The server sent more than 16777216 bytes",
    ],
    [
      "sends a giant answer",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`"${"x".repeat(20_000_000)}"`);
      },
      "tool_error: The server sent more than",
    ],
    [
      "sends endless messages",
      (_, response) => {
        const event = eventOf({ method: "notifications/message", params: {} });
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(event.repeat(1_000)), 5);
        response.on("close", () => clearInterval(timer));
      },
      "tool_error: The server sent too many messages",
    ],
    [
      "sends endless requests",
      (_, response) => {
        const event = eventOf({ id: 1, method: "roots/list", params: {} });
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(event.repeat(100));
      },
      "tool_error: The server sent too many requests",
    ],
    [
      "sends no JSON",
      streaming("data: {]\n\n"),
      "tool_error: The server sent an answer that is not JSON",
    ],
    [
      "sends a message that is a list",
      streaming("data: [1]\n\n"),
      "tool_error: The server sent something that is no message",
    ],
    [
      "ends its stream early",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n");
      },
      "tool_error: The server ended its answer before the result",
    ],
    [
      "redirects",
      (_, response) => void response.writeHead(307, { location: "https://evil.example/" }).end(),
      "tool_error: The MCP server redirects to another address (status 307)",
    ],
    [
      "sends a result of another kind",
      () => ({ resultType: "input_required", inputRequests: {} }),
      "tool_error: The server requests input, but does not say which",
    ],
    [
      "answers another request",
      (_, response) => {
        sendJson(response, { id: "x" });
      },
      "tool_error: The server ended its answer before the result",
    ],
  ])("that %s fails the run, and no other", async (_, call, expected) => {
    expect(await failureOf(call)).toContain(expected);
    expect(
      await (async () => {
        answer = withSessions(() => text("fine"));
        return (await importTool()).run();
      })(),
    ).toMatchObject({ output: { text: "fine" } });
  });

  it("gets no messages at another host that it names", async () => {
    answer = streaming("event: endpoint\ndata: https://evil.example/messages\n\n");
    const { error } = await (await importTool({ transport: "sse" })).run();
    expect(error.message).toContain("names no address of its own");
  });

  it("stays within the time limit of the tool when it drips", async () => {
    answer = withSessions((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": drip\n\n"), 50);
      response.on("close", () => clearInterval(timer));
    });
    const { name, run } = await importTool();
    await service.call("PATCH", `/tools/${name}`, { timeoutMs: 500 });
    expect(await run()).toMatchObject({ status: "failed", error: { code: "timeout" } });
    await expect.poll(() => upstream.methods().at(-1)).toBe("notifications/cancelled");
  });
});
