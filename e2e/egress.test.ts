import { createServer } from "node:http";
import type { Server as HttpServer } from "node:http";
import { run as runRecord, runResult } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import type { Answer } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

type Site = { host: string; seen: string[]; aborted: () => number; close(): void };

let opened: Site;
let closed: Site;
let server: Server;

beforeAll(async () => {
  [opened, closed] = await Promise.all([startSite(), startSite()]);
  server = await startServer({
    EGRESS_PRIVATE_HOSTS: opened.host,
    EGRESS_MAX_REQUESTS: "50",
    EGRESS_MAX_RECEIVED_BYTES: "100000",
  });
});
afterAll(async () => {
  await server?.stop();
  opened?.close();
  closed?.close();
});

/** A server on this machine: `/to?url=` redirects, `/size?of=` returns that many bytes, `/never` does not respond. */
async function startSite(): Promise<Site> {
  const seen: string[] = [];
  let aborted = 0;
  const http: HttpServer = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://site");
    seen.push(`${request.method} ${url.pathname}`);
    response.once("close", () => {
      if (!response.writableFinished) aborted += 1;
    });
    if (url.pathname === "/never") return;
    if (url.pathname === "/to") {
      response.writeHead(307, { location: url.searchParams.get("url") ?? "" });
    }
    response.end("x".repeat(Number(url.searchParams.get("of"))));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (typeof address !== "object" || address === null) throw new Error("It does not listen");
  const close = () => {
    http.close();
    http.closeAllConnections();
  };
  return { host: `127.0.0.1:${address.port}`, seen, aborted: () => aborted, close };
}

const fetcher = `export default async ({ url, method }) => {
  const answer = await fetch(url, { method });
  return { status: answer.status, length: (await answer.text()).length };
}`;
const resultOf = (answer: Answer) => runResult.parse(expectStatus(200, answer).body);
const recordOf = async (runId: string) =>
  runRecord.parse(expectStatus(200, await server.call("GET", `/runs/${runId}`)).body);

async function fetches(url: string, allowedHosts: string[], method = "GET") {
  const tool = await server.makeTool(fetcher, { allowedHosts });
  const { runId, status, output, error } = resultOf(await server.run(tool, { url, method }));
  const { egress } = await recordOf(runId);
  return { tool, status, output, error, egress };
}

describe("a tool", () => {
  test(
    "reaches a private host that it declares and the operator allows, and records the requests",
    proves("tool.allowed_hosts", "run.egress"),
    async () => {
      const url = `http://${opened.host}/size?of=1234`;
      const run = await fetches(url, [`http://${opened.host}`], "POST");
      expect(run).toMatchObject({ status: "completed", output: { status: 200, length: 1234 } });
      expect(opened.seen).toContain("POST /size");
      expect(run.egress).toEqual([
        { host: opened.host, requests: 1, bytesSent: 0, bytesReceived: 1234, refused: 0 },
      ]);
      const list = await server.call("GET", `/runs?toolName=${run.tool}`);
      expect(JSON.stringify(list.body)).not.toContain("bytesReceived");
    },
  );

  test(
    "reaches no host that it does not declare, or that only it declares",
    proves("tool.allowed_hosts", "run_error.egress_denied"),
    async () => {
      const declared = [`http://${closed.host}`, "http://169.254.169.254", "http://localhost:5432"];
      const refusals: [url: string, hosts: string[], reason: string][] = [
        [`http://${opened.host}/`, [], "the host is not in the tool's allowedHosts"],
        [`https://${opened.host}/`, [`http://${opened.host}`], "only over plain HTTP"],
        [`http://${closed.host}/`, declared, "it is an address of this machine"],
        ["http://169.254.169.254/latest/meta-data/", declared, "it is a link-local address"],
        [
          `http://${opened.host}/to?url=http://${closed.host}/`,
          [`http://${opened.host}`],
          closed.host,
        ],
        [
          `http://${opened.host}/to?url=http://${closed.host}/`,
          [`http://${opened.host}`, ...declared],
          "it is an address of this machine",
        ],
      ];
      for (const [url, hosts, reason] of refusals) {
        const { status, error, egress } = await fetches(url, hosts);
        expect({ url, status, code: error?.code }).toEqual({
          url,
          status: "failed",
          code: "egress_denied",
        });
        expect(error?.message).toContain(reason);
        expect(egress.at(-1)).toMatchObject({ requests: 0, refused: 1 });
      }
      expect(closed.seen).toEqual([]);
    },
  );

  test("does not reach the service that runs it", proves("tool.allowed_hosts"), async () => {
    const own = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
    const { error } = await fetches(`${own}/healthz`, [own]);
    expect(error?.code).toBe("egress_denied");
    expect(error?.message).toContain("an address of this machine");
  });

  test("reports a network failure as tool_error, not as a denial", async () => {
    const { error, egress } = await fetches("https://name.invalid/", ["name.invalid"]);
    expect(error).toMatchObject({ code: "tool_error" });
    expect(error?.message).toContain("the name name.invalid could not be resolved");
    expect(egress).toMatchObject([{ host: "name.invalid", refused: 0 }]);
  });

  test("reports no requests for a run without any", async () => {
    const tool = await server.makeTool("export default () => ({})");
    const { runId } = resultOf(await server.run(tool));
    expect((await recordOf(runId)).egress).toEqual([]);
  });

  test("is bound by the limits of the settings", proves("limits.egress"), async () => {
    const hosts = [`http://${opened.host}`];
    const tool = await server.makeTool(
      `export default async ({ url, times }) => { for (let i = 0; i < times; i++) await (await fetch(url)).text(); return {}; }`,
      { allowedHosts: hosts },
    );
    const run = async (url: string, times: number) =>
      resultOf(await server.run(tool, { url: `http://${opened.host}${url}`, times }));
    expect(await run("/size?of=1", 50)).toMatchObject({ status: "completed" });
    expect((await run("/size?of=1", 51)).error).toMatchObject({
      code: "egress_denied",
      message: `egress_denied: the request to ${opened.host} was blocked: the run has used all of its 50 requests`,
    });
    expect((await run("/size?of=40000", 3)).error).toMatchObject({
      code: "egress_denied",
      message: expect.stringContaining("the run may receive at most 100000 bytes"),
    });
  });

  test("aborts pending requests of a cancelled run", proves("run.cancel_egress"), async () => {
    const tool = await server.makeTool(fetcher, { allowedHosts: [`http://${opened.host}`] });
    const input = { url: `http://${opened.host}/never`, method: "GET" };
    const answer = await server.call("POST", `/run/${tool}`, input, { prefer: "respond-async" });
    const { runId } = resultOf(answer);
    await until("the request is there", 30_000, () => opened.seen.includes("GET /never"));
    const before = opened.aborted();
    expectStatus(200, await server.call("POST", `/runs/${runId}/cancel`));
    await until("it is ended", 30_000, () => opened.aborted() === before + 1);
    await server.finished(runId);
    expect(await recordOf(runId)).toMatchObject({
      status: "cancelled",
      egress: [{ host: opened.host, requests: 1, bytesReceived: 0 }],
    });
  });

  test("rejects hosts that can never match", async () => {
    for (const host of ["127.1", "https://a.example", "a.example/path", "*"]) {
      const draft = {
        title: "T",
        description: "d",
        inputSchema: { type: "object" },
        allowedHosts: [host],
      };
      const source = { language: "javascript", code: "export default () => ({})" };
      const answer = await server.call("POST", "/tools", { ...draft, source });
      expectProblem(answer, "invalid_request");
    }
  });
});
