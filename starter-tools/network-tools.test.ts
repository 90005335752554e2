import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { context, forgetTools, run } from "./run-tool.ts";

let respond: RequestListener = (_, response) => response.end();
let asked: { request: IncomingMessage; body: string }[] = [];
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      asked.push({ request, body });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await forgetTools();
});
afterEach(() => {
  vi.unstubAllGlobals();
  asked = [];
});

const json =
  (status: number, value: unknown, headers = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(value));

describe("HTTP request", () => {
  test("sends the request and parses the response", async () => {
    respond = json(201, { fine: true }, { "x-own": "yes" });
    const input = {
      url: `${base}/a?b=1`,
      method: "POST",
      query: { c: 2, d: "e f" },
      headers: { "X-Mine": "1" },
      json: { n: 1 },
    };
    expect(await run("http-request", input)).toMatchObject({
      status: 201,
      isOk: true,
      body: '{"fine":true}',
      encoding: "text",
      json: { fine: true },
      isCut: false,
      headers: { "x-own": "yes" },
    });
    const [{ request, body } = { request: undefined, body: "" }] = asked;
    expect(body).toBe('{"n":1}');
    expect(request).toMatchObject({ method: "POST", url: "/a?b=1&c=2&d=e+f" });
    expect(request?.headers).toMatchObject({ "x-mine": "1", "content-type": "application/json" });
  });

  test("returns error statuses as results, and invalid JSON as text", async () => {
    respond = (_, response) =>
      response.writeHead(500, { "content-type": "application/json" }).end("{");
    const output = await run("http-request", { url: base });
    expect(output).toMatchObject({ status: 500, isOk: false, body: "{" });
    expect(output).not.toHaveProperty("json");
  });

  test("reads at most one mebibyte, decodes text by its charset, and returns other bytes as base64", async () => {
    respond = (_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(3_000_000));
    const cut = await run("http-request", { url: base });
    expect(cut).toMatchObject({ isCut: true, encoding: "text" });
    expect(Object(cut).body).toHaveLength(1024 * 1024);
    respond = (_, response) =>
      response
        .writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" })
        .end(Buffer.from([0xe9]));
    expect(await run("http-request", { url: base })).toMatchObject({ body: "é" });
    respond = (_, response) =>
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([0, 255]));
    expect(await run("http-request", { url: base })).toMatchObject({
      body: "AP8=",
      encoding: "base64",
    });
  });

  test.each([
    [{ url: "nowhere" }, /"nowhere" is not a URL\. Use one such as/],
    [{ url: "https://a.example", json: 1, body: "x" }, /"json" or "body", not both/],
    [{ url: "https://a.example", body: "x" }, /A GET request has no body\. Use "query"/],
    [{ url: "https://a.example", headers: { "a b": "c" } }, /"a b" is not a header/],
  ])("explains what is wrong with %j", async (input, message) => {
    await expect(run("http-request", input)).rejects.toThrow(message);
  });

  test("names the host that did not respond, and how to allow one that is not declared", async () => {
    respond = () => {};
    await expect(run("http-request", { url: base, timeoutSeconds: 1 })).rejects.toThrow(
      /127\.0\.0\.1:\d+ did not respond within 1 seconds/,
    );
    const denied =
      "egress_denied: the request to a.example was denied: the host is not in the tool's allowedHosts";
    vi.stubGlobal("fetch", () => Promise.reject(new Error(denied)));
    await expect(run("http-request", { url: "https://a.example" })).rejects.toThrow(
      `${denied}. To reach other hosts, copy this tool and add them to its allowedHosts.`,
    );
  });
});

describe("GitHub issues", () => {
  const issue = (number: number) => ({
    number,
    title: `Issue ${number}`,
    state: "open",
    user: number === 2 ? null : { login: "ada" },
    labels: [{ name: "bug" }],
    comments: 3,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-02T00:00:00Z",
    html_url: `https://github.com/o/r/issues/${number}`,
    ...(number === 3 ? { pull_request: {} } : {}),
  });
  const limits = { "x-ratelimit-remaining": "29", "x-ratelimit-reset": "1767225600" };

  /** Lets the tool's address lead to the server of the test. */
  function fakeGitHub(listener: RequestListener) {
    respond = listener;
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
      fetch(url.replace("https://api.github.com", base), init),
    );
  }

  test("finds issues and pull requests, and returns the rate limit", async () => {
    fakeGitHub(json(200, { total_count: 3, items: [1, 2, 3].map(issue) }, limits));
    const input = { repository: "o/r", kind: "both", labels: ['a "b"'], text: "one repo:x/y" };
    expect(await run("github-issues", input)).toEqual({
      total: 3,
      hasMore: false,
      rateLimit: { remaining: 29, resetAt: "2026-01-01T00:00:00.000Z" },
      issues: [
        expect.objectContaining({ number: 1, author: "ada", kind: "issue", labels: ["bug"] }),
        expect.objectContaining({ number: 2, author: null }),
        expect.objectContaining({ number: 3, kind: "pull_request" }),
      ],
    });
    const [{ request } = { request: undefined }] = asked;
    expect(request?.headers.authorization).toBe("Bearer token");
    const query = new URL(`${base}${request?.url}`).searchParams;
    expect(query.get("q")).toBe('"one" "repo:x/y" repo:o/r state:open label:"a  b"');
  });

  test("requests only as many pages as needed", async () => {
    fakeGitHub((request, response) => {
      const query = new URL(`${base}${request.url}`).searchParams;
      const first = (Number(query.get("page")) - 1) * 100;
      const items = Array.from({ length: 100 }, (_, index) => issue(first + index + 1));
      json(200, { total_count: 950, items })(request, response);
    });
    const output = Object(await run("github-issues", { repository: "o/r", limit: 150 }));
    expect([output.issues.length, output.hasMore, asked.length]).toEqual([150, true, 2]);
    expect(output.issues.at(-1).number).toBe(150);
    expect(output.rateLimit).toEqual({ remaining: null, resetAt: null });
  });

  test.each([
    [401, {}, /rejected the token.*GITHUB_TOKEN/],
    [403, {}, /cannot read o\/r\. Grant it permission/],
    [403, { ...limits, "x-ratelimit-remaining": "0" }, /rate limit .* Try again after 2026-01-01T/],
    [429, { "retry-after": "60" }, /rate limit .* Try again in 60 seconds/],
    [422, {}, /repository o\/r does not exist, or the token cannot access it/],
    [502, {}, /GitHub responded with status 502\. Try again later/],
  ])("explains the response %i %j", async (status, headers, message) => {
    fakeGitHub(json(status, { message: "no" }, headers));
    await expect(run("github-issues", { repository: "o/r" })).rejects.toThrow(message);
  });

  test("sends no request for an invalid repository name", async () => {
    fakeGitHub(json(200, {}));
    await expect(run("github-issues", { repository: "o/r/../x" }, context())).rejects.toThrow(
      /is not a repository\. Use owner and name/,
    );
    expect(asked).toEqual([]);
  });
});
