import type { RequestListener } from "node:http";
import { createToolInput } from "@toolhost/contract";
import { plainUpstream } from "@toolhost/sandbox/testing";
import type { Upstream } from "@toolhost/sandbox/testing";
import { readStarterTools } from "@toolhost/starter-tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createShippedTool } from "#core/catalog";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { buildShippedTool } from "./core/builds/build-shipped-tool.ts";

let respond: RequestListener = (_, response) => response.end();
let seen: string[] = [];
let upstream: Upstream;
const listener: RequestListener = (request, response) => {
  seen.push(`${request.headers.authorization} ${request.url}`);
  respond(request, response);
};

let test: TestService;
let host: string;
beforeAll(async () => {
  upstream = await plainUpstream(listener);
  host = `http://127.0.0.1:${upstream.port}`;
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${upstream.port}` });
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});

/** Installs a starter tool as a first start does, with each `from` of its hosts and code leading elsewhere. */
async function install(slug: string, from = "", to = ""): Promise<string> {
  const found = (await readStarterTools()).find((tool) => tool.slug === slug);
  if (found === undefined) throw new Error(`no starter tool ${slug}`);
  const text = JSON.stringify(found.draft);
  const changed = text.replaceAll(`https://${from}`, to).replaceAll(`"${from}"`, `"${to}"`);
  const draft = createToolInput.parse(JSON.parse(from === "" ? text : changed));
  const { id: userId } = (await test.callAsOwner("GET", "/me")).body.user;
  const caller = {
    userId: String(userId),
    workspaceId: test.workspaceId,
    role: "owner" as const,
    scopes: new Set(["credentials:write"] as const),
    actor: { userId: String(userId) },
    via: "console" as const,
    requestId: "request",
    ip: null,
  };
  const bundle = await buildShippedTool(draft.source);
  return (await createShippedTool(test.service.context, caller, draft, bundle)).name;
}

const run = async (name: string, input: unknown) =>
  (await test.call("POST", `/run/${name}`, input, { prefer: "wait=50" })).body;

describe("a starter tool in the sandbox", () => {
  it("requests only hosts that it declares, and reports how to allow others", async () => {
    const name = await install("http-request", "api.github.com", host);
    respond = (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"fine":true}');
    const { output } = await run(name, { url: `${host}/a`, method: "POST", json: { n: 1 } });
    expect(output).toMatchObject({ status: 200, json: { fine: true }, url: `${host}/a` });
    const { error } = await run(name, { url: "https://example.com/" });
    expect(error.code).toBe("egress_denied");
    expect(error.message).toContain(
      "example.com was denied: the host is not in the tool's allowedHosts",
    );
    expect(error.message).toContain("copy this tool and add them to its allowedHosts");
    const redirected = (await run(await redirecting(name), {})).error;
    expect(redirected.code).toBe("tool_error");
    expect(redirected.message).toContain("the host is not in the tool's allowedHosts");
  });

  it("sends a token that it cannot read", async () => {
    const name = await install("github-issues", "api.github.com", host);
    respond = (_, response) => {
      const headers = { "content-type": "application/json", "x-ratelimit-remaining": "29" };
      response.writeHead(200, headers).end('{"total_count":0,"items":[]}');
    };
    const before = await test.call("POST", `/run/${name}`, { repository: "o/r" });
    expect(before.body).toMatchObject({ status: 422, code: "credentials_missing" });
    const token = "ghp_0123456789abcdef";
    await test.call("POST", "/credentials", { name: "GITHUB_TOKEN", value: token, hosts: [host] });
    seen = [];
    const { output } = await run(name, { repository: "o/r", text: "x" });
    expect(output).toMatchObject({ issues: [], total: 0, rateLimit: { remaining: 29 } });
    expect(seen).toEqual([expect.stringMatching(`^Bearer ${token} /search/issues\\?q=`)]);
    respond = (_, response) => response.writeHead(401).end("{}");
    const { error } = await run(name, { repository: "o/r" });
    expect(error).toMatchObject({ code: "tool_error" });
    expect(error.message).toContain("GitHub rejected the token");
  });

  it("accepts an image and returns one", async () => {
    const name = await install("image-converter");
    const uploaded = await test.call("POST", "/upload", {
      fileName: "dot.png",
      mimeType: "image/png",
      contentBase64: dot,
    });
    const input = {
      image: uploaded.body.fileId,
      width: 20,
      height: 10,
      fit: "fill",
      format: "jpeg",
    };
    const { output } = await run(name, input);
    expect(output).toMatchObject({
      width: 20,
      height: 10,
      format: "jpeg",
      file: { fileName: "dot.jpg" },
    });
    const made = await test.call("GET", `/files/${output.file.fileId}`);
    expect(made.headers.get("content-type")).toBe("image/jpeg");
    expect(Number(made.headers.get("content-length"))).toBe(output.file.size);
  });
});

/** A tool that has the HTTP tool follow a redirect to a host that it does not declare. */
async function redirecting(name: string): Promise<string> {
  respond = (_, response) => response.writeHead(302, { location: "https://example.com/" }).end();
  return test.makeTool(`export default (_, ctx) => ctx.tools.run("${name}", { url: "${host}/b" })`);
}

/** A PNG of one pixel. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
