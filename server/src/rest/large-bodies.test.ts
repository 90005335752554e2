import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ USER_MAX_BODIES: "2" });
});
afterAll(() => test.stop());

/** Starts sending a body of 100,000 bytes or of unknown length. */
function stall(path: string, length: string) {
  const { port } = new URL(test.baseUrl);
  const headers = `host: localhost\r\nauthorization: Bearer ${test.apiKey}\r\nidempotency-key: ${randomUUID()}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n`;
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined).write(`POST ${path} HTTP/1.1\r\n${headers}${length}\r\n\r\n`);
  return socket;
}

it("limits the large request bodies of one user that are arriving", async () => {
  const tool = await test.makeTool("export default () => ({})");
  const large = { text: "x".repeat(100_000) };
  const isRefused = async () => {
    const { status, body } = await test.call("POST", `/run/${tool}`, large);
    return status === 429 && body.limit.name === "user-bodies";
  };
  expect(await isRefused()).toBe(false);
  const sockets = [
    stall("/api/v1/tools", "content-length: 100000"),
    stall("/api/mcp", "transfer-encoding: chunked"),
  ];
  await expect.poll(isRefused).toBe(true);
  expect((await test.call("POST", `/run/${tool}`, { text: "small" })).status).toBe(200);
  sockets[0]?.destroy();
  await expect.poll(isRefused).toBe(false);
  sockets[1]?.destroy();
});
