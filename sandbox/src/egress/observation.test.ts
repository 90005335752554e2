import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { output, reach, run, testSandbox } from "../test-sandbox.ts";
import type { Sandbox } from "../types.ts";
import type { EgressObserver } from "./observation.ts";
import { plainUpstream, type Upstream } from "./test-upstream.ts";

let sandbox: Sandbox;
let upstream: Upstream;
let base = "";
const received: (string | string[] | undefined)[] = [];
const requests: unknown[] = [];
const results: unknown[] = [];

beforeAll(async () => {
  sandbox = await testSandbox();
  upstream = await plainUpstream((request, response) => {
    received.push(request.headers["traceparent"]);
    const [, kind = ""] = (request.url ?? "").split(/[/?]/);
    if (kind === "to") response.writeHead(302, { location: "/500" }).end();
    else if (kind === "cut") response.destroy();
    else response.writeHead(Number(kind)).end("body");
  });
  base = `127.0.0.1:${upstream.port}`;
});
afterAll(async () => {
  await sandbox.stop();
  upstream.close();
});
beforeEach(() => {
  received.length = 0;
  requests.length = 0;
  results.length = 0;
});

const observe: EgressObserver = (request) => {
  requests.push(request);
  return {
    headers: { traceparent: "ours" },
    end: (result) => results.push(result),
  };
};

async function fetchAll(urls: string[], observer: EgressObserver | undefined): Promise<unknown> {
  const code = `export default async ({ urls }) => {
    const headers = { TraceParent: "the tool's", other: "kept" };
    const statuses = [];
    for (const url of urls) {
      statuses.push(await fetch(url, { headers }).then(async (response) => {
        // A body that is still arriving when the run ends is cut.
        await response.text();
        return response.status;
      }, () => "failed"));
    }
    return { statuses };
  }`;
  const egress = reach([`http://${base}`, "http://nowhere.invalid"], {
    privateHosts: [base],
    observe: observer,
  });
  return output(await run(sandbox, code, { inputJson: JSON.stringify({ urls }), egress }));
}

test("reports each request with its status, redirects too, and sends its headers", async () => {
  expect(await fetchAll([`http://${base}/200?key=1`, `http://${base}/to/x`], observe)).toEqual({
    statuses: [200, 500],
  });
  const request = { method: "GET", host: "127.0.0.1", port: upstream.port };
  expect(requests).toEqual([request, request, request]);
  const ends = [200, 302, 500].map((status) => ({ status, error: undefined }));
  await expect.poll(() => results).toEqual(ends);
  expect(received).toEqual(["ours", "ours", "ours"]);
});

test("reports failures without their message", async () => {
  const urls = [`http://${base}/cut`, "http://nowhere.invalid/"];
  expect(await fetchAll(urls, observe)).toEqual({ statuses: ["failed", "failed"] });
  const failed = { status: undefined, error: "upstream_error" };
  await expect.poll(() => results).toEqual([failed, failed]);
});

test("does not report requests that the policy denies", async () => {
  await run(sandbox, `export default () => fetch("http://secret.example.com/")`, {
    egress: reach([], { observe }),
  });
  expect(requests).toEqual([]);
});

test("sends the tool's own headers without an observer", async () => {
  await fetchAll([`http://${base}/200`], undefined);
  expect(received).toEqual(["the tool's"]);
});
