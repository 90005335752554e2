import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConnectionError, createClient, isApiError } from "./index.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What the network answers to the next requests. */
const answers: Answer[] = [];
const requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  request.resume().on("end", () => (answers.shift() ?? json(200, {}))(request, response));
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/sub`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  requests.length = 0;
  answers.length = 0;
});

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
const drop: Answer = (request) => request.socket.destroy();
const truncate: Answer = (request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"runId": ', () => request.socket.destroy());
};
const page =
  (status: number): Answer =>
  (_, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { status, code, title: code, detail: `It is ${code}.`, requestId: "r1" }, headers);

const connect = (options = {}) => createClient({ baseUrl, apiKey: "key", ...options });
const completed = { runId: "r", status: "completed", output: { n: 1 } };

describe("a write", () => {
  it("is repeated with the same key after lost connections and responses that a retry can fix", async () => {
    answers.push(
      drop,
      truncate,
      page(502),
      problem(503, "unavailable", { "retry-after": "0" }),
      problem(409, "idempotency_in_flight", { "retry-after": "1" }),
      json(200, completed),
    );
    const startedAt = Date.now();
    expect(await connect().run("tool_ab12", { a: 1 })).toEqual({ n: 1 });
    expect(Date.now() - startedAt).toBeGreaterThan(1_000);
    const keys = new Set(requests.map(({ headers }) => headers["idempotency-key"]));
    expect(requests).toHaveLength(6);
    expect([...keys]).toEqual([
      expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    ]);
    expect(requests[0]?.url).toBe("/sub/api/v1/run/tool_ab12");
    expect(requests[0]?.headers.authorization).toBe("Bearer key");
  });

  it("has a new key for each call, or the given one", async () => {
    await connect().request("POST /runs/{runId}/cancel", { params: { runId: "r" } });
    await connect().request("POST /runs/{runId}/cancel", {
      params: { runId: "r" },
      idempotencyKey: "k",
    });
    const [first, second] = requests.map(({ headers }) => headers["idempotency-key"]);
    expect([first === second, second]).toEqual([false, "k"]);
  });

  it("waits as long as Retry-After asks for, also if it is a date", async () => {
    answers.push(problem(429, "rate_limited", { "retry-after": "1" }));
    const startedAt = Date.now();
    await connect().request("GET /me");
    expect(Date.now() - startedAt).toBeGreaterThan(1_000);
    const date = new Date(Date.now() + 2_000).toUTCString();
    answers.push(problem(429, "rate_limited", { "retry-after": date }));
    const secondAt = Date.now();
    await connect().request("GET /me");
    expect(Date.now() - secondAt).toBeGreaterThan(900);
  });

  it("is not repeated where the same would happen, or for an hour", async () => {
    for (const [status, code, header] of [
      [500, "internal", "0"],
      [422, "credentials_missing", "0"],
      [429, "quota_exceeded", "3600"],
    ] as const) {
      requests.length = 0;
      answers.push(problem(status, code, { "retry-after": header }));
      const error = await connect()
        .run("tool_ab12")
        .catch((caught: unknown) => caught);
      expect(isApiError(error, code)).toBe(true);
      expect(error).toMatchObject({
        status,
        requestId: "r1",
        retryAfterMs: Number(header) * 1_000,
      });
      expect(requests).toHaveLength(1);
    }
  });
});

describe("an attempt", () => {
  it("ends with ConnectionError after the last retry, without the key in its text", async () => {
    answers.push(drop, drop, drop);
    const error = await connect({ maxRetries: 1 })
      .request("GET /me")
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(2);
    expect(String(error)).not.toContain("key");
  });

  it("is repeated if there is no response in time", async () => {
    answers.push(() => undefined);
    expect(await connect({ requestTimeoutMs: 200 }).request("GET /me")).toEqual({});
    expect(requests).toHaveLength(2);
  });

  it("fails for a page of a proxy and for a redirect, which it does not follow", async () => {
    answers.push(page(200), json(302, {}, { location: "/elsewhere" }));
    for (const status of [200, 302]) {
      const error = await connect()
        .request("GET /me")
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: "ApiError", code: "unknown", status });
    }
    expect(requests).toHaveLength(2);
  });

  it("stops during the pause before a retry when the signal aborts", async () => {
    answers.push(problem(429, "rate_limited", { "retry-after": "30" }));
    const [controller, reason] = [new AbortController(), new Error("enough")];
    setTimeout(() => controller.abort(reason), 200);
    const { signal } = controller;
    await expect(connect().request("GET /me", { signal })).rejects.toBe(reason);
  });
});

describe("a list", () => {
  it("sends the key of a next page to the same address only", async () => {
    const link = '<https://elsewhere.example/api/v1/runs?cursor=abc>; rel="next"';
    answers.push(
      json(200, [{ runId: "1" }] as object, { link }),
      json(200, [{ runId: "2" }] as object),
    );
    const runs = await Array.fromAsync(connect().runs.list({ limit: 1 }));
    expect(runs.map(({ runId }) => runId)).toEqual(["1", "2"]);
    expect(requests[1]?.url).toBe("/sub/api/v1/runs?limit=1&cursor=abc");
  });
});

describe("a log", () => {
  it("resumes after the last line, whatever the sizes of its parts", async () => {
    const events =
      (text: string): Answer =>
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const character of Buffer.from(text)) response.write(Buffer.from([character]));
        response.end();
      };
    const line = (message: string) => JSON.stringify({ at: "", level: "info", message });
    answers.push(
      events(
        `retry: 1000\r\n\r\n: note\r\n\r\nid: 1-1\r\nevent: log\r\ndata: ${line("größe 😀")}\r\n\r\n`,
      ),
      events(
        `event: progress\ndata: {"fraction":\ndata: 1}\n\nid: 1-2\nevent: log\ndata: ${line("cut off")}\n`,
      ),
      events(`event: end\ndata: {"runId":"r"}\n\n`),
    );
    const seen = await Array.fromAsync(connect().runs.logs("r", { follow: true }));
    expect(seen).toMatchObject([
      { type: "log", message: "größe 😀" },
      { type: "progress", fraction: 1 },
      { type: "end", run: { runId: "r" } },
    ]);
    expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      "1-1",
      "1-1",
    ]);
  });
});
