import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConnectionError, createClient, isApiError, ToolhostError } from "./index.ts";

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

  it("stops waiting for an earlier request with its key after the time of an attempt", async () => {
    answers.push(...Array.from({ length: 30 }, () => problem(409, "idempotency_in_flight")));
    const error = await connect({ requestTimeoutMs: 600 })
      .request("POST /runs/{runId}/cancel", { params: { runId: "r" } })
      .catch((caught: unknown) => caught);
    expect(isApiError(error, "idempotency_in_flight")).toBe(true);
    expect(requests.length).toBeGreaterThan(2);
  });

  it("uploads the files of an input with the same keys if it is repeated with its key", async () => {
    const idempotencyKey = "11111111-1111-4111-8111-111111111111";
    const input = { a: new Blob(["1"]), list: [new Blob(["1"]), new Blob(["1"])] };
    const keysOfUploads = async (options: { idempotencyKey?: string }) => {
      requests.length = 0;
      for (const fileId of ["f1", "f2", "f3"]) answers.push(json(200, { fileId }));
      answers.push(json(200, completed));
      await connect().run("tool_ab12", input, options);
      const uploads = requests.filter(({ url }) => url?.includes("/upload"));
      return uploads.map(({ headers }) => String(headers["idempotency-key"])).toSorted();
    };
    const first = await keysOfUploads({ idempotencyKey });
    expect(await keysOfUploads({ idempotencyKey })).toEqual(first);
    const other = await keysOfUploads({ idempotencyKey: idempotencyKey.replace("4", "3") });
    const all = [...first, ...other, ...(await keysOfUploads({})), ...(await keysOfUploads({}))];
    expect(new Set(all).size).toBe(12);
    for (const key of all) {
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
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

describe("a response with a body", () => {
  const stall: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("start");
  };
  const calls = {
    download: () => connect({ requestTimeoutMs: 300 }).files.download("f"),
    fetch: () => connect({ requestTimeoutMs: 300 }).fetch("GET /me"),
  };

  it.each(Object.entries(calls))("ends with ConnectionError if it stalls: %s", async (_, call) => {
    answers.push(stall);
    const response = await call();
    await expect(response.text()).rejects.toThrow(ConnectionError);
  });

  it("ends with ConnectionError if the connection is lost, and with the signal's reason", async () => {
    answers.push(truncate, stall);
    const lost = await connect({ maxRetries: 0 }).files.download("f");
    await expect(lost.text()).rejects.toThrow(ConnectionError);
    const [controller, reason] = [new AbortController(), new Error("enough")];
    const { signal } = controller;
    const stalled = await connect().files.download("f", { signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(stalled.text()).rejects.toBe(reason);
  });

  it("lasts longer than an attempt while data arrives, and keeps its headers and address", async () => {
    answers.push((_, response) => {
      response.writeHead(200, { "content-type": "text/x-slow" });
      for (const part of [1, 2, 3, 4]) setTimeout(() => response.write(`${part}`), part * 150);
      setTimeout(() => response.end(), 650);
    });
    const response = await calls.download();
    expect(response.headers.get("content-type")).toBe("text/x-slow");
    expect(response.url).toBe(`${baseUrl}/api/v1/files/f`);
    expect(await response.text()).toBe("1234");
  });
});

describe("an address", () => {
  it("is refused with a user name or a password, which are not part of the error", () => {
    for (const userinfo of ["user:hidden@", "hidden@", ":hidden@"]) {
      const create = () => createClient({ baseUrl: `https://${userinfo}tools.example.com` });
      expect(create).toThrow(ToolhostError);
      expect(create).not.toThrow(/hidden/);
    }
  });

  it("is refused with half of a surrogate pair in a parameter", async () => {
    await expect(connect().tools.get("a\ud800")).rejects.toThrow(ToolhostError);
    expect(requests).toHaveLength(0);
  });
});

describe("a list", () => {
  it("ends with an error if a page is followed by itself", async () => {
    const link = '</api/v1/runs?cursor=abc>; rel="next"';
    for (let count = 0; count < 4; count++) answers.push(json(200, [], { link }));
    const list = () => Array.fromAsync(connect().runs.list());
    await expect(list()).rejects.toThrow(ToolhostError);
    expect(requests).toHaveLength(2);
    const listFrom = () => Array.fromAsync(connect().runs.list({ cursor: "abc" }));
    await expect(listFrom()).rejects.toThrow(ToolhostError);
    expect(requests).toHaveLength(3);
  });

  it("ends with an error if any earlier page follows", async () => {
    for (const cursor of ["one", "two", "three", "one", "two", "three"]) {
      answers.push(json(200, [], { link: `</api/v1/runs?cursor=${cursor}>; rel="next"` }));
    }
    await expect(Array.fromAsync(connect().runs.list())).rejects.toThrow(ToolhostError);
    expect(requests).toHaveLength(4);
  });

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
  const follow = (options = {}) =>
    Array.fromAsync(connect(options).runs.logs("r", { follow: true }));
  const events =
    (text: string): Answer =>
    (_, response) =>
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).end(text);

  it("throws ApiError for a response that is no event stream", async () => {
    answers.push(page(200), json(200, []));
    const waiting = connect().runs.wait("r", { onLog: () => undefined });
    await expect(waiting).rejects.toMatchObject({ name: "ApiError", code: "unknown", status: 200 });
    await expect(follow()).rejects.toMatchObject({ name: "ApiError", status: 200 });
    expect(requests).toHaveLength(2);
  });

  it("ends with ConnectionError after maxRetries connections in a row without an event", async () => {
    const empty = events("retry: 1000\n\n");
    const alive = events(": still running\n\n");
    answers.push(empty, empty, alive, empty, empty, empty);
    await expect(follow({ maxRetries: 2 })).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(6 - 1);
  });

  it("resumes after the last line, whatever the sizes of its parts", async () => {
    const inBytes =
      (text: string): Answer =>
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const character of Buffer.from(text)) response.write(Buffer.from([character]));
        response.end();
      };
    const line = (message: string) => JSON.stringify({ at: "", level: "info", message });
    answers.push(
      inBytes(
        `retry: 1000\r\n\r\n: note\r\n\r\nid: 1-1\r\nevent: log\r\ndata: ${line("größe 😀")}\r\n\r\n`,
      ),
      inBytes(
        `event: progress\ndata: {"fraction":\ndata: 1}\n\nid: 1-2\nevent: log\ndata: ${line("cut off")}\n`,
      ),
      inBytes(`event: end\ndata: {"runId":"r"}\n\n`),
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
