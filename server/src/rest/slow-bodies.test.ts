import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

/** Sends the headers of a request, and its body only when `finish` is called. */
function startRequest(path: string, input: object, apiKey = test.apiKey) {
  const body = JSON.stringify(input);
  const sent = request(`${test.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": randomUUID(),
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      text(response).then((found) => resolve({ status: response.statusCode, text: found }), reject);
    });
  });
  sent.flushHeaders();
  return {
    finish: () => {
      sent.end(body);
      return answer;
    },
  };
}

const slowMs = 1_200;

describe("a request whose body arrives late", () => {
  it("runs no tool that was archived meanwhile", async () => {
    const tool = await test.makeTool("export default () => ({ ran: true })");
    // The next request with the key expects the same caller.
    expect((await test.call("POST", `/run/${tool}`, {})).status).toBe(200);
    const run = startRequest(`/api/v1/run/${tool}`, {});
    await sleep(slowMs);
    expect((await test.call("DELETE", `/tools/${tool}`)).status).toBe(204);
    const { status, text: answer } = await run.finish();
    expect(answer).not.toContain("ran");
    expect(status).toBe(404);
  });

  it("is refused if its key was revoked meanwhile, over REST and MCP", async () => {
    const tool = await test.makeTool("export default () => ({ ran: true })");
    const draft = { name: "Short", scopes: ["mcp:read", "mcp:execute"] };
    const { body: key } = await test.callAsOwner("POST", "/api-keys", draft);
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: {} },
    };
    const requests = [
      startRequest(`/api/v1/run/${tool}`, {}, key.key),
      startRequest("/api/mcp", call, key.key),
    ];
    await sleep(slowMs);
    expect((await test.callAsOwner("DELETE", `/api-keys/${key.id}`)).status).toBe(204);
    for (const each of requests) {
      const { status, text: answer } = await each.finish();
      expect(answer).not.toContain("ran");
      expect(status).toBe(401);
    }
  });
});
