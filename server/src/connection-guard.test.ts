import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({
    HEADERS_TIMEOUT_MS: "1000",
    BODY_IDLE_TIMEOUT_MS: "1500",
    BODY_GRACE_MS: "4000",
    BODY_MIN_BYTES_PER_SECOND: "50",
    RESPONSE_IDLE_TIMEOUT_MS: "1500",
  });
});
afterAll(() => test.stop());

type Visitor = {
  socket: Socket;
  received: () => string;
  closed: Promise<void>;
  isOpen: () => boolean;
};

/** A client that sends exactly this. */
function visit(text: string): Visitor {
  const { port } = new URL(test.baseUrl);
  const socket = connect(Number(port), "127.0.0.1", () => void socket.write(text));
  let received = "";
  let isOpen = true;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => (received += chunk));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) =>
    socket.once("close", () => {
      isOpen = false;
      resolve();
    }),
  );
  return { socket, received: () => received, closed, isOpen: () => isOpen };
}

const key = () => `authorization: Bearer ${test.apiKey}\r\nidempotency-key: ${randomUUID()}\r\n`;
const head = (request: string, headers: string) =>
  `${request} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;
const json = (length: number) => `content-type: application/json\r\ncontent-length: ${length}\r\n`;
const form = "content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n";
const part =
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nabc';

/** The start of a request whose body never ends, at each kind of address that takes one. */
const stalled: Record<string, () => Promise<string> | string> = {
  "a JSON body": () => `${head("POST /api/v1/tools", key() + json(500))}{"title":`,
  "a JSON body in chunks": () =>
    `${head("POST /api/v1/tools", `${key()}content-type: application/json\r\ntransfer-encoding: chunked\r\n`)}3\r\n{"a\r\n`,
  "a run's input": () => `${head("POST /api/v1/run/nothing_0000", key() + json(500))}{`,
  "a form": () => `${head("POST /api/v1/upload", key() + form)}${part}`,
  "announced bytes": async () => {
    const { body } = await test.call("POST", "/upload", {
      fileName: "a.txt",
      mimeType: "text/plain",
      size: 500,
    });
    return `${head(`PUT ${new URL(body.uploadUrl).pathname}`, "content-length: 500\r\n")}abc`;
  },
  "an MCP message": () =>
    `${head("POST /api/mcp", `${key()}accept: application/json, text/event-stream\r\n${json(500)}`)}{`,
  "a token request": () =>
    `${head("POST /oauth/token", "content-type: application/x-www-form-urlencoded\r\ncontent-length: 500\r\n")}grant_type=`,
  "a registration": () => `${head("POST /oauth/register", json(500))}{`,
  "a sign-in": () =>
    `${head("POST /api/auth/sign-in/email", `origin: ${test.baseUrl}\r\n${json(500)}`)}{`,
  "a form of a page": () =>
    `${head("POST /sign-in", "content-type: application/x-www-form-urlencoded\r\ncontent-length: 500\r\n")}email=`,
  "a webhook": () => `${head("POST /bot/slack/events", json(500))}{`,
  "a body that is refused unread": () => `${head("POST /api/v1/tools", json(500))}{`,
  "a body with an unknown expectation": () =>
    `${head("POST /api/v1/tools", `expect: wonders\r\n${json(500)}`)}{`,
  "a body for no route": () => `${head("POST /nowhere", json(500))}{`,
};

describe("a request body that stops arriving", () => {
  it.concurrent.each(Object.keys(stalled))("ends its connection: %s", async (name) => {
    const visitor = visit((await stalled[name]?.()) ?? "");
    await visitor.closed;
    expect(visitor.received()).not.toMatch(/^HTTP\/1\.1 (?:2|5)/);
  });

  it.concurrent("gets a problem response that explains it", async () => {
    const visitor = visit(`${head("POST /api/v1/tools", key() + json(500))}{`);
    await visitor.closed;
    const [top = "", body = ""] = visitor.received().split("\r\n\r\n");
    expect(top).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/);
    expect(JSON.parse(body)).toMatchObject({
      code: "invalid_request",
      detail: expect.stringContaining("stopped arriving"),
    });
  });

  it("ends two hundred connections, while other requests are served", async () => {
    const texts = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => Object.values(stalled)[index % 4]?.() ?? ""),
    );
    const visitors = texts.map((text) => visit(text));
    expect((await test.call("GET", "/tools")).status).toBe(200);
    await Promise.all(visitors.map(({ closed }) => closed));
    await expect.poll(() => test.service.context.concurrency.count("uploads")).toBe(0);
  });

  it.concurrent("ends its connection if it only drips", async () => {
    const visitor = visit(`${head("POST /api/v1/tools", key() + json(5_000))}{`);
    const timer = setInterval(() => visitor.socket.write(" "), 200);
    await visitor.closed;
    clearInterval(timer);
    expect(visitor.received()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.concurrent("ends its connection before the headers are complete, and before the first one", async () => {
    const visitors = [visit("POST /api/v1/tools HTTP/1.1\r\nhost: localhost\r\nx-a: "), visit("")];
    await Promise.all(visitors.map(({ closed }) => closed));
    expect(visitors[0]?.received()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  });
});

// Concurrent tests can only poll with the `expect` of their context.
describe.concurrent("a slow connection in use", () => {
  it("stays open during an upload", { tags: ["nightly"] }, async ({ expect: expectHere }) => {
    const content = "x".repeat(6_000);
    const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n--b--\r\n`;
    const length = `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n`;
    const visitor = visit(head("POST /api/v1/upload", key() + length));
    for (let at = 0; at < body.length; at += 400) {
      await sleep(400);
      visitor.socket.write(body.slice(at, at + 400));
    }
    await expectHere.poll(visitor.received).toMatch(/^HTTP\/1\.1 201 /);
    visitor.socket.destroy();
  });

  it("stays open while waiting for a run, and while following its log", async () => {
    const name = await test.makeTool(
      "export default async () => { await new Promise((done) => setTimeout(done, 5_000)); return {}; }",
    );
    const waited = test.call("POST", `/run/${name}`, {}, { prefer: "wait=30" });
    const { body } = await test.call("POST", `/run/${name}`, {}, { prefer: "respond-async" });
    const followed = await fetch(`${test.baseUrl}/api/v1/runs/${body.runId}/logs`, {
      headers: { authorization: `Bearer ${test.apiKey}`, accept: "text/event-stream" },
    });
    expect(await followed.text()).toContain("event: end");
    expect((await waited).body.status).toBe("completed");
  });

  it("stays open after a body just above the limit, for the next request", async ({
    expect: expectHere,
  }) => {
    const limit = test.service.context.config.BODY_MAX_BYTES;
    const visitor = visit(head("POST /api/v1/tools", key() + json(limit + 1)));
    await sleep(1_000);
    visitor.socket.write("x".repeat(limit + 1));
    await expectHere.poll(visitor.received).toMatch(/^HTTP\/1\.1 413 /);
    visitor.socket.write(head("GET /healthz", ""));
    await expectHere.poll(visitor.received).toContain("HTTP/1.1 200 ");
    visitor.socket.destroy();
  });

  it("stays open without a request", async ({ expect: expectHere }) => {
    const visitor = visit(head("GET /healthz", ""));
    await sleep(4_000);
    expect(visitor.isOpen()).toBe(true);
    visitor.socket.write(head("GET /healthz", ""));
    await expectHere.poll(() => visitor.received().split("HTTP/1.1 200").length - 1).toBe(2);
    visitor.socket.destroy();
  });
});

const address = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4");

describe.skipIf(address === undefined)("the cap on connections from one address", () => {
  it("closes connections beyond the cap, except those from this machine", async () => {
    const open = await startTestService({
      HOST: "0.0.0.0",
      SANDBOX_ISOLATION: "process",
      ADDRESS_MAX_CONNECTIONS: "5",
    });
    const { PORT } = open.service.context.config;
    const countOpen = async (host: string) => {
      const sockets = Array.from({ length: 12 }, () => connect(PORT, host));
      let closed = 0;
      for (const socket of sockets) {
        socket.on("error", () => undefined).once("close", () => (closed += 1));
        socket.resume();
      }
      await sleep(1_000);
      for (const socket of sockets) socket.destroy();
      return sockets.length - closed;
    };
    expect(await countOpen(address?.address ?? "")).toBe(5);
    expect(await countOpen("127.0.0.1")).toBe(12);
    await expect.poll(() => countOpen(address?.address ?? "")).toBe(5);
    await open.stop();
  });
});

describe("a response that the client does not read", () => {
  const upload = async () => {
    const data = new FormData();
    data.append("file", new Blob([Buffer.alloc(30_000_000)]), "large.bin");
    const response = await fetch(`${test.baseUrl}/api/v1/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${test.apiKey}`, "idempotency-key": randomUUID() },
      body: data,
    });
    return ((await response.json()) as { fileId: string }).fileId;
  };

  it("ends its connection, unlike a slow reader", async () => {
    const fileId = await upload();
    const request = head(`GET /api/v1/files/${fileId}`, key());
    const [idle, slow] = [visit(request), visit(request)];
    idle.socket.pause();
    const timer = setInterval(() => {
      slow.socket.resume();
      setTimeout(() => slow.socket.pause(), 10);
    }, 300);
    await sleep(5_000);
    clearInterval(timer);
    slow.socket.resume();
    idle.socket.resume();
    await idle.closed;
    expect(idle.received().length).toBeLessThan(30_000_000);
    await expect.poll(() => slow.received().length).toBeGreaterThan(30_000_000);
    slow.socket.destroy();
  });

  it(
    "ends connections if one user's clients leave too much unread in total",
    { tags: ["nightly"] },
    async () => {
      const bounded = await startTestService({ USER_MAX_UNREAD_BYTES: "20000000" });
      const code = 'export default () => ({ text: "x".repeat(6_000_000) })';
      const tool = await bounded.makeTool(code);
      const { runId } = (await bounded.call("POST", `/run/${tool}`, {})).body;
      const { port } = new URL(bounded.baseUrl);
      const auth = `authorization: Bearer ${bounded.apiKey}\r\n`;
      const readers = Array.from({ length: 12 }, () => {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => undefined).write(head(`GET /api/v1/runs/${runId}`, auth));
        const reader = { socket, bytes: 0 };
        socket.on("data", (chunk: Buffer) => (reader.bytes += chunk.length)).pause();
        return reader;
      });
      await sleep(6_000);
      for (const { socket } of readers) socket.resume();
      const whole = () => readers.filter(({ bytes }) => bytes > 6_000_000).length;
      await expect.poll(whole, { timeout: 10_000 }).toBeGreaterThan(0);
      // Three responses of 6 MB fit, in addition to the buffers of the operating system.
      await sleep(1_000);
      expect(whole()).toBeLessThanOrEqual(5);
      expect((await bounded.call("GET", `/runs/${runId}`)).body.output.text).toHaveLength(
        6_000_000,
      );
      for (const { socket } of readers) socket.destroy();
      await bounded.stop();
    },
  );
});
