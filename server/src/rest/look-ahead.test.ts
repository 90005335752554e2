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

/** Sends the headers of a run, and its body only when `finish` is called. */
function startRun(tool: string) {
  const body = JSON.stringify({ input: "x" });
  const sent = request(`${test.baseUrl}/api/v1/run/${tool}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${test.apiKey}`,
      "idempotency-key": randomUUID(),
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

describe("POST /run/{toolName} whose body arrives late", () => {
  it("runs no tool that was archived meanwhile", async () => {
    const tool = await test.makeTool("export default () => ({ ran: true })");
    // The next request with the key expects the same caller.
    expect((await test.call("POST", `/run/${tool}`, {})).status).toBe(200);
    const run = startRun(tool);
    await sleep(1_200);
    expect((await test.call("DELETE", `/tools/${tool}`)).status).toBe(204);
    const { status, text: answer } = await run.finish();
    expect(answer).not.toContain("ran");
    expect(status).toBe(404);
  });
});
