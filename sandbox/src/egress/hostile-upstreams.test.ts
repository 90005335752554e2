import { readdirSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EGRESS_LIMITS, output, reach, run, testSandbox, until } from "../test-sandbox.ts";
import type { Sandbox } from "../types.ts";

/** Writes the response to each connection, regardless of the request. */
let answer: (socket: Socket) => void = () => {};
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => answer(socket));
});
let sandbox: Sandbox;
let base = "";

beforeAll(async () => {
  sandbox = await testSandbox();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await sandbox.stop();
  server.close();
});

/** What a tool sees of a response: its status, headers and body, or an error. */
async function seen(bytes: string | ((socket: Socket) => void), init = "{}"): Promise<unknown> {
  answer = typeof bytes === "string" ? (socket) => socket.end(bytes, "latin1") : bytes;
  const egress = reach([`http://${base}`], {
    privateHosts: [base],
    limits: { ...EGRESS_LIMITS, bytesReceived: 1_000_000 },
  });
  const module = `export default async () => {
    try {
      const answer = await fetch("http://${base}/", ${init});
      const body = await answer.text().catch((error) => "body: " + error.message);
      return [answer.status, Object.fromEntries(answer.headers), body];
    } catch (error) { return [error.name, error.message] }
  }`;
  return output(await run(sandbox, module, { egress }));
}

const failed = (reason: string) => ["TypeError", `fetch failed: ${base}: ${reason}`];

describe("a response of an external host", () => {
  test("is forwarded unchanged", async () => {
    const bytes = "HTTP/1.1 299 Whatever\r\nX-Odd: caf\xe9\r\nX-Two: 1\r\nX-Two: 2\r\n\r\nbody";
    expect(await seen(bytes)).toEqual([299, expect.objectContaining({ "x-two": "1, 2" }), "body"]);
  });

  test("is forwarded without hop-by-hop and internal headers", async () => {
    const head = [
      "HTTP/1.1 200 OK",
      "Connection: keep-alive, x-hop",
      "X-Hop: 1",
      "Keep-Alive: timeout=5",
      "Proxy-Authenticate: Basic",
      "X-Toolhost-Error: denied",
      "X-Toolhost-Error-Message: egress_denied%3A%20forged",
      "X-Kept: 1",
      "Content-Length: 2",
    ];
    expect(await seen(`${head.join("\r\n")}\r\n\r\nok`)).toEqual([
      200,
      { "x-kept": "1", "content-length": "2" },
      "ok",
    ]);
  });

  test.each([
    ["is shorter than its declared length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"],
    ["lacks its last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"],
  ])("is not treated as complete if it %s", async (_what, bytes) => {
    expect(await seen(bytes)).toEqual([200, expect.anything(), expect.stringMatching(/^body: /)]);
  });

  test.each([
    ["is not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "the response is not valid HTTP"],
    ["is empty", "", "connection closed by the host"],
    [
      "declares two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "the response does not match its Content-Length",
    ],
    [
      "declares a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "the response does not match its Content-Length",
    ],
    [
      "declares a length that is not a number",
      "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
      "the response is not valid HTTP",
    ],
    [
      "has a header of two lines",
      "HTTP/1.1 200 OK\r\nX-A: 1\r\n X-B: 2\r\n\r\n",
      "the response is not valid HTTP",
    ],
    [
      "has endless headers",
      `HTTP/1.1 200 OK\r\n${"X-A: aaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(10_000)}`,
      "the response has too many headers",
    ],
    [
      "switches the protocol without a request",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      "connection closed by the host",
    ],
  ])("fails in the tool if it %s", async (_what, bytes, reason) => {
    expect(await seen(bytes)).toEqual(failed(reason));
  });

  test.each([
    ["HEAD", "HTTP/1.1 200 OK"],
    ["GET", "HTTP/1.1 304 Not Modified"],
    ["GET", "HTTP/1.1 204 No Content"],
  ])(
    "is accepted although it declares a body that it does not have: %s, %s",
    async (method, line) => {
      const head = `${line}\r\nETag: "a"\r\n${line.includes("204") ? "" : "Content-Length: 5000000\r\n"}\r\n`;
      const said = await seen(head, `{ method: "${method}" }`);
      expect(said).toEqual([
        Number(line.split(" ")[1]),
        expect.objectContaining({ etag: '"a"' }),
        "",
      ]);
    },
  );

  test("is accepted after informational responses", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(3);
    expect(await seen(`${early}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)).toMatchObject([
      200,
      {},
      "ok",
    ]);
  });

  test("is cut off at the limit if it never ends", async () => {
    const body = await seen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        while (socket.writable && socket.write("x".repeat(65_536)));
      };
      socket.on("drain", more);
      more();
    });
    expect(body).toEqual([200, expect.anything(), expect.stringMatching(/^body: /)]);
  });

  test("is returned although it arrives before the whole request body is sent", async () => {
    const init = `{ method: "POST", body: new ReadableStream({ start(c) { this.t = setInterval(() => c.enqueue(new Uint8Array(10)), 5) }, cancel() { clearInterval(this.t) } }) }`;
    const bytes = "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig";
    expect(await seen((socket) => void socket.write(bytes), init)).toMatchObject([413, {}, "big"]);
  });
});

test("leaves no descriptor open after hundreds of responses of all kinds", async () => {
  const open = () => readdirSync("/proc/self/fd").length;
  const bad = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort";
  const good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  await seen(good);
  await until(() => sandbox.stats().leased === 0);
  const before = open();
  for (let i = 0; i < 30; i++) {
    await seen(i % 3 === 0 ? bad : good);
    await seen((socket) => socket.destroy());
  }
  await until(() => open() <= before + 5, 15_000);
  expect(open()).toBeLessThanOrEqual(before + 5);
});
