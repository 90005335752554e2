import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  EGRESS_LIMITS,
  failure,
  MEBIBYTE,
  output,
  reach,
  run,
  testSandbox,
  until,
} from "../test-sandbox.ts";
import type { RunOptions } from "../test-sandbox.ts";
import type { ExecuteResult, Sandbox } from "../types.ts";
import type { EgressLimits } from "./policy.ts";
import { plainUpstream, type Upstream } from "./test-upstream.ts";

const seen: string[] = [];
let aborted = 0;
let open = 0;
let maxOpen = 0;
let sandbox: Sandbox;
let upstream: Upstream;
let base = "";
const advice = "The operator of this service can allow the host with EGRESS_PRIVATE_HOSTS";

beforeAll(async () => {
  sandbox = await testSandbox({ maxMemoryBytes: 256 * MEBIBYTE });
  upstream = await plainUpstream((request, response) => void serve(request, response));
  base = `127.0.0.1:${upstream.port}`;
});
afterAll(async () => {
  await sandbox.stop();
  upstream.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "", "http://upstream");
  seen.push(url.pathname);
  open += 1;
  maxOpen = Math.max(open, maxOpen);
  response.once("close", () => {
    open -= 1;
    if (!response.writableFinished) aborted += 1;
  });
  const size = Number(url.searchParams.get("size"));
  if (url.pathname === "/to") {
    response.writeHead(302, { location: url.searchParams.get("url") ?? "" }).end();
  } else if (url.pathname === "/packed") {
    const encoding = url.searchParams.get("as") ?? "";
    const body = encoding === "br" ? brotliCompressSync("plain") : gzipSync("plain");
    response.writeHead(200, { "content-encoding": encoding }).end(body);
  } else if (url.pathname === "/wait") {
    // Waits for all of them, because on a busy machine the first could end before the last arrives.
    const together = Number(url.searchParams.get("together"));
    await until(() => maxOpen >= together);
    await new Promise((resolve) => setTimeout(resolve, 5));
    response.end("waited");
  } else if (url.pathname === "/never") {
    request.resume();
  } else if (url.pathname === "/long") {
    response.writeHead(200, { "content-length": 2 * MEBIBYTE }).write("x");
  } else if (url.pathname === "/drip") {
    response.write("first");
  } else if (url.pathname === "/download") {
    await pipeline(Readable.from(pieces(size)), response).catch(() => {});
  } else {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      const { method, headers } = request;
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.setHeader("x-toolhost-error", "denied");
      response.end(JSON.stringify({ method, path: request.url, headers, bytes }));
    });
  }
}

function* pieces(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, "x");
  for (let left = size; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

type Rest = RunOptions & {
  bounds?: Partial<EgressLimits>;
  hosts?: string[];
  privateHosts?: string[];
};

/** Runs the body of an async function of `base` and `input`, which may reach the test server. */
function runs(
  body: string,
  { bounds, hosts = [], privateHosts = [], ...rest }: Rest = {},
): Promise<ExecuteResult> {
  const egress = reach([`http://${base}`, ...hosts], {
    privateHosts: [base, ...privateHosts],
    limits: { ...EGRESS_LIMITS, ...bounds },
  });
  return run(
    sandbox,
    `export default async (input, ctx) => { const base = "http://${base}"; ${body} }`,
    {
      egress,
      ...rest,
    },
  );
}

const said = `.catch((error) => error.name + ": " + error.message)`;
const denied = (host: string, reason: string) =>
  `EgressDenied: egress_denied: the request to ${host} was denied: ${reason}`;

describe("fetch", () => {
  test("sends the request as the tool wrote it, without internal headers", async () => {
    const result = await runs(`
      const answer = await fetch(base + "/echo?a=1%202#end", {
        method: "PATCH", body: "hello",
        headers: { "x-mine": "yes", connection: "x-mine", "proxy-authorization": "no", te: "trailers" },
      });
      return { status: answer.status, cookies: answer.headers.getSetCookie(), echo: await answer.json(),
        ours: [...answer.headers.keys()].filter((name) => name.startsWith("x-toolhost")) };`);
    expect(output(result)).toEqual({
      status: 200,
      cookies: ["a=1", "b=2"],
      ours: [],
      echo: {
        method: "PATCH",
        path: "/echo?a=1%202",
        bytes: 5,
        headers: {
          host: base,
          connection: "keep-alive",
          "content-length": "5",
          "content-type": "text/plain;charset=UTF-8",
          "x-mine": "yes",
        },
      },
    });
  });

  test.each(["gzip", "br"])(
    "decompresses a body with the content encoding %s",
    async (encoding) => {
      const result = await runs(`return (await fetch(base + "/packed?as=${encoding}")).text()`);
      expect(output(result)).toBe("plain");
    },
  );

  test("handles HEAD without a body", async () => {
    const result = await runs(`
      const answer = await fetch(base + "/packed?as=gzip", { method: "HEAD" });
      return [answer.status, answer.headers.get("content-encoding"), await answer.text()]`);
    expect(output(result)).toEqual([200, "gzip", ""]);
  });

  test("reuses its connection in the same run and the next one", async () => {
    const body = `for (let i = 0; i < 5; i++) await (await fetch(base + "/echo")).text(); return 1`;
    const before = upstream.connections();
    for (let i = 0; i < 3; i++) expect(output(await runs(body))).toBe(1);
    expect(upstream.connections() - before).toBe(1);
    expect(output(await runs(body, { reuseKey: "other" }))).toBe(1);
    expect(upstream.connections() - before).toBe(2);
  });

  test("applies the same rules to node:http", async () => {
    const module = `import http from "node:http";
      export default (input) => new Promise((resolve, reject) =>
        http.get(input.url, (answer) => { answer.on("data", () => {}); answer.on("end", () => resolve(answer.statusCode)); })
          .on("error", reject))`;
    const inputJson = JSON.stringify({ url: `http://${base}/echo` });
    const egress = reach([`http://${base}`], { privateHosts: [base] });
    expect(output(await run(sandbox, module, { inputJson, egress }))).toBe(200);
  });
});

describe("a redirect", () => {
  test("follows a redirect to a declared host", async () => {
    const result = await runs(`
      const answer = await fetch(base + "/to?url=/echo");
      return [answer.status, answer.url, answer.redirected]`);
    expect(output(result)).toEqual([200, `http://${base}/echo`, true]);
    expect(result.egress).toMatchObject([{ host: base, requests: 2, refused: 0 }]);
  });

  test.each([
    [
      "http://undeclared.example/",
      "undeclared.example",
      "the host is not in the tool's allowedHosts",
    ],
    ["http://169.254.169.254/latest/", "169.254.169.254", "it is a link-local address"],
    ["http://[::ffff:169.254.169.254]/", "[::ffff:a9fe:a9fe]", "it is a link-local address"],
    ["http://0x7f.1:1/", "127.0.0.1:1", `it is an address of this machine. ${advice}`],
    ["http://10.1/", "10.0.0.1", `it is a private address. ${advice}`],
  ])("denies a redirect to %s", async (url, host, reason) => {
    const hosts = [
      "http://169.254.169.254",
      "http://[::ffff:a9fe:a9fe]",
      "http://127.0.0.1:1",
      "http://10.0.0.1",
    ];
    const result = await runs(
      `return fetch(base + "/to?url=" + encodeURIComponent(input.url))${said}`,
      {
        inputJson: JSON.stringify({ url }),
        hosts,
      },
    );
    expect(output(result)).toBe(denied(host, reason));
    expect(result.egress[1]).toMatchObject({ host, requests: 0, refused: 1, reason });
  });
});

describe("a failure of the external host", () => {
  test.each([
    [
      "no server listens",
      "http://127.0.0.1:9",
      "connection refused. Check that the server runs and listens on this port",
    ],
    [
      "the name is not known",
      "http://name.invalid",
      `the name name.invalid could not be resolved. Check its spelling. ${advice} if its name is only known on a private network`,
    ],
  ])("throws an ordinary error when %s", async (_what, url, reason) => {
    const host = url.replace("http://", "");
    const options = { hosts: [url], privateHosts: [host] };
    const words = reason.startsWith("the name")
      ? `fetch failed: ${reason}`
      : `fetch failed: ${host}: ${reason}`;
    const caught = await runs(`return fetch("${url}/")${said}`, options);
    expect(output(caught)).toBe(`TypeError: ${words}`);
    const uncaught = await runs(`return fetch("${url}/")`, options);
    expect(failure(uncaught)).toMatchObject({ code: "tool_error", message: `TypeError: ${words}` });
  });
});

describe("WebSockets and raw connections", () => {
  test("denies them with the reason", async () => {
    const reason = "WebSockets are not allowed";
    const result = await runs(`return fetch(base, { headers: { upgrade: "websocket" } })${said}`);
    expect(output(result)).toBe(denied(base, reason));
    const socket = await runs(`return new Promise((resolve, reject) => {
      const socket = new WebSocket(base.replace("http", "ws"));
      socket.onerror = (event) => reject(event.error); socket.onopen = resolve })`);
    expect(failure(socket)).toMatchObject({ code: "egress_denied" });
    expect(failure(socket).message).toContain(reason);
    expect(socket.egress).toMatchObject([{ host: base, requests: 0, refused: 1, reason }]);
  });
});

describe("the limits of a run", () => {
  test("limits concurrent requests, and lets a thousand wait", async () => {
    maxOpen = 0;
    const result = await runs(
      `const all = Array.from({ length: 1000 }, () => fetch(base + "/wait?together=20").then((answer) => answer.text()));
       return (await Promise.all(all)).filter((text) => text === "waited").length`,
      // Responses pile up while other processes use the CPU.
      { limits: { cpuMs: 20_000, memoryBytes: 512 * MEBIBYTE } },
    );
    expect(output(result)).toBe(1_000);
    expect(maxOpen).toBe(20);
    expect(result.egress).toMatchObject([{ requests: 1_000, refused: 0 }]);
  });

  test("limits the number of requests", async () => {
    const result = await runs(
      `for (let i = 0; i < 3; i++) await (await fetch(base)).text(); return fetch(base)`,
      { bounds: { requests: 3 } },
    );
    const message = `The request to ${base} was denied: the run has used all of its 3 requests.`;
    expect(failure(result)).toMatchObject({ code: "egress_denied", message });
    expect(result.egress).toMatchObject([{ requests: 3, refused: 1 }]);
  });

  test.each([
    ["known", `"x".repeat(2e6)`],
    ["unknown", `new Response("x".repeat(2e6)).body.pipeThrough(new TransformStream())`],
  ])("limits the bytes sent, with a length that is %s", async (_what, body) => {
    const result = await runs(`return fetch(base, { method: "POST", body: ${body} })`, {
      bounds: { bytesSent: MEBIBYTE },
    });
    const reason = `the run may send at most ${MEBIBYTE} bytes`;
    expect(failure(result)).toMatchObject({ code: "egress_denied" });
    expect(failure(result).message).toContain(reason);
    expect(result.egress).toMatchObject([{ requests: 1, refused: 1, reason }]);
  });

  test("limits the bytes received, and reports it after the response has started", async () => {
    const result = await runs(
      `return (await (await fetch(base + "/download?size=3000000")).text()).length`,
      {
        bounds: { bytesReceived: MEBIBYTE },
      },
    );
    const reason = `the run may receive at most ${MEBIBYTE} bytes`;
    const message = `The request to ${base} was denied: ${reason}.`;
    expect(failure(result)).toMatchObject({ code: "egress_denied", message });
    expect(result.egress).toMatchObject([{ refused: 1, reason }]);
    const next = await runs(
      `return (await (await fetch(base + "/download?size=1000")).text()).length`,
    );
    expect(output(next)).toBe(1_000);
  });

  test("denies a response whose declared length exceeds the limit", async () => {
    const result = await runs(`return fetch(base + "/long")${said}`, {
      bounds: { bytesReceived: MEBIBYTE },
    });
    const reason = `the run may receive at most ${MEBIBYTE} bytes`;
    expect(output(result)).toBe(denied(base, reason));
    expect(result.egress).toMatchObject([{ refused: 1, bytesReceived: 0, reason }]);
  });

  test("reports a hundred hosts, with all others combined", async () => {
    const result = await runs(
      `for (let i = 0; i < 150; i++) await fetch("https://h" + i + ".example/").catch(() => {}); return 1`,
    );
    expect(result.egress).toHaveLength(100);
    expect(result.egress[99]).toMatchObject({ host: "(other hosts)", requests: 0, refused: 51 });
  });
});

describe("the end of a run", () => {
  test.each(["never", "drip"])("aborts an open request: /%s", async (path) => {
    const before = aborted;
    const ask = `const answer = fetch(base + "/${path}").then((answer) => answer.text()).catch(() => {});`;
    const finished = await runs(
      `${ask} await new Promise((resolve) => setTimeout(resolve, 200)); return 1`,
    );
    expect(output(finished)).toBe(1);
    await until(() => aborted > before, 1_000);
    const controller = new AbortController();
    const cancelled = runs(`${ask} await answer; return 1`, { signal: controller.signal });
    const count = seen.length;
    await until(() => seen.length > count);
    controller.abort();
    expect((await cancelled).status).toBe("cancelled");
    await until(() => aborted > before + 1, 1_000);
  });

  test("reports a cancelled run, even if the tool handles its failing requests", async () => {
    for (let i = 0; i < 15; i++) {
      const controller = new AbortController();
      const count = seen.length;
      const cancelled = runs(`await fetch(base + "/never").catch(() => {}); return 1`, {
        signal: controller.signal,
      });
      await until(() => seen.length > count);
      controller.abort();
      expect((await cancelled).status).toBe("cancelled");
    }
  });

  test("rejects waiting requests, which are never sent", async () => {
    const before = seen.length;
    const result = await runs(
      `for (let i = 0; i < 50; i++) fetch(base + "/never").catch(() => {});
       await new Promise((resolve) => setTimeout(resolve, 300)); return 1`,
      { bounds: { parallelRequests: 5 } },
    );
    expect(output(result)).toBe(1);
    await until(() => open === 0, 1_000);
    expect(output(await runs("return 2"))).toBe(2);
    expect(seen.length - before).toBe(5);
  });

  test("aborts the external request when the tool aborts its own", async () => {
    const before = aborted;
    const result = await runs(`
      await fetch(base + "/never", { signal: AbortSignal.timeout(100) }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 500)); return 1`);
    expect(aborted).toBe(before + 1);
    expect(output(result)).toBe(1);
  });
});

describe("large bodies", () => {
  const size = 200 * MEBIBYTE;
  const bounds = { bytesSent: 2 * size, bytesReceived: 2 * size };
  const limits = { cpuMs: 60_000, wallMs: 60_000, memoryBytes: 256 * MEBIBYTE };

  test(
    "streams in both directions without buffering the whole body",
    { tags: ["nightly"] },
    async () => {
      let most = 0;
      const start = process.memoryUsage().rss;
      const timer = setInterval(
        () => (most = Math.max(most, process.memoryUsage().rss - start)),
        20,
      );
      const down = await runs(
        `let bytes = 0; const answer = await fetch(base + "/download?size=${size}");
       for await (const chunk of answer.body) bytes += chunk.length; return bytes`,
        { bounds, limits },
      );
      expect(output(down)).toBe(size);
      expect(down.egress).toMatchObject([{ bytesReceived: size }]);
      const up = await runs(
        `let left = ${size}; const chunk = new Uint8Array(65536);
       const body = new ReadableStream({ pull(c) { if (left > 0) { left -= chunk.length; c.enqueue(chunk.slice()); } else c.close(); } });
       return (await fetch(base, { method: "POST", body, duplex: "half" })).json()`,
        { bounds, limits },
      );
      clearInterval(timer);
      expect(output(up)).toMatchObject({ bytes: size });
      expect(up.egress).toMatchObject([{ bytesSent: size }]);
      expect(most).toBeLessThan(100 * MEBIBYTE);
    },
  );

  test("applies backpressure when the tool reads slowly", async () => {
    const result = await runs(
      `const answer = await fetch(base + "/download?size=${size}");
       await new Promise((resolve) => setTimeout(resolve, 1000)); return answer.status`,
      { bounds },
    );
    expect(output(result)).toBe(200);
    expect(result.egress[0]?.bytesReceived).toBeLessThan(8 * MEBIBYTE);
  });
});
