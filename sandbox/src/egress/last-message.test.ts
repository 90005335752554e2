import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EGRESS_LIMITS, output, reach, run, testSandbox, until } from "../test-sandbox.ts";
import type { RunOptions } from "../test-sandbox.ts";
import type { ExecuteResult, Sandbox } from "../types.ts";
import { plainUpstream, type Upstream } from "./test-upstream.ts";

type Seen = { path: string | undefined; headers: IncomingMessage["headers"]; body: string };

const seen: Seen[] = [];
let sandbox: Sandbox;
let upstream: Upstream;
let base = "";

beforeAll(async () => {
  sandbox = await testSandbox();
  upstream = await plainUpstream((request, response) => void serve(request, response));
  base = `127.0.0.1:${upstream.port}`;
});
afterAll(async () => {
  await sandbox.stop();
  upstream.close();
});
beforeEach(() => {
  seen.length = 0;
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  seen.push({ path: request.url, headers: request.headers, body });
  if (body !== "work" || request.url === "/quick") response.end("done");
  else response.write("working");
}

const secret = { name: "KEY", placeholder: "th_placeholder_0123", value: "s3cret-value-of-key" };
const send = (path: string, message: string) => `
  const answer = await fetch("http://BASE${path}", { method: "POST", body: "work", headers: {
    "x-session": "one", authorization: "th_placeholder_0123",
    "x-toolhost-last-message": ${JSON.stringify(message)} } });`;

function runs(body: string, rest: RunOptions = {}): Promise<ExecuteResult> {
  const egress = reach([`http://${base}`], {
    privateHosts: [base],
    limits: EGRESS_LIMITS,
    secrets: [{ ...secret, hosts: [[`http://${base}`]] }],
  });
  const code = `export default async (input, ctx) => { ${body.replaceAll("BASE", base)} }`;
  return run(sandbox, code, { egress, ...rest });
}

async function cancelled(body: string, afterRequests = 1): Promise<ExecuteResult> {
  const controller = new AbortController();
  const result = runs(body, { signal: controller.signal });
  await until(() => seen.length === afterRequests);
  controller.abort();
  return result;
}

describe("the last message", () => {
  it("is sent with the headers of the request when the run is cancelled, and counted", async () => {
    const result = await cancelled(`${send("/slow", "stop it")} return await answer.text();`);
    expect(result.status).toBe("cancelled");
    await until(() => seen.length === 2);
    const [first, second] = seen;
    expect(second).toMatchObject({ path: "/slow", body: "stop it" });
    expect(second?.headers).toEqual({ ...first?.headers, "content-length": "7" });
    expect(first?.headers).toMatchObject({ authorization: secret.value, "x-session": "one" });
    expect(first?.headers).not.toHaveProperty("x-toolhost-last-message");
    expect(result.egress).toMatchObject([{ requests: 2, bytesSent: 11 }]);
  });

  it("is sent when the run reaches its time limit", async () => {
    const code = `${send("/slow", "stop it")} return await answer.text();`;
    const result = await runs(code, { limits: { wallMs: 500 } });
    expect(result).toMatchObject({ status: "failed", error: { code: "timeout" } });
    await until(() => seen.length === 2);
  });

  it("is not sent for a request that has ended", async () => {
    const read = `${send("/quick", "stop it")} await answer.text();
      await fetch("http://BASE/after", { method: "POST", body: "has read" });`;
    const wait = "await new Promise(() => setTimeout(() => {}, 9e4));";
    const result = await cancelled(`${read} ${wait}`, 2);
    expect(result).toMatchObject({ status: "cancelled", egress: [{ requests: 2 }] });
    expect(output(await runs(`${read} return "ok"`))).toBe("ok");
    expect(seen.map(({ body }) => body)).toEqual(["work", "has read", "work", "has read"]);
  });

  it("refuses to contain a value that the code sees and the host may not receive", async () => {
    const exposed = { ...secret, isExposed: true, hosts: [["https://elsewhere.test"]] };
    const egress = reach([`http://${base}`], { privateHosts: [base], secrets: [exposed] });
    const code = `${send("/slow", secret.value)} return await answer.text();`;
    expect(await runs(code, { egress })).toMatchObject({
      status: "failed",
      error: { code: "egress_denied" },
    });
    expect(seen).toEqual([]);
  });

  it("is ignored if it is too long or not ASCII text", async () => {
    for (const message of ["x".repeat(1_001), "é"]) {
      seen.length = 0;
      const result = await cancelled(`${send("/slow", message)} return await answer.text();`);
      expect(result.egress).toMatchObject([{ requests: 1 }]);
    }
  });
});
