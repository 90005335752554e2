import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const eventStream = { accept: "text/event-stream" };

describe.each([
  ["KEY_MAX_STREAMS", "key-streams"],
  ["USER_MAX_STREAMS", "user-streams"],
  ["WORKSPACE_MAX_STREAMS", "workspace-streams"],
  ["NODE_MAX_STREAMS", "node-streams"],
])("%s", (setting, name) => {
  let test: TestService;
  let runId: string;
  const open: AbortController[] = [];

  beforeAll(async () => {
    test = await startTestService({ [setting]: "2" });
    const tool = await test.makeTool(
      "export default () => new Promise((resolve) => setTimeout(resolve, 60_000))",
    );
    const run = await test.call("POST", `/run/${tool}`, {}, { prefer: "respond-async" });
    runId = String(run.body.runId);
  });
  afterAll(async () => {
    for (const controller of open) controller.abort();
    await test.stop();
  });

  /** Opens a stream with the owner's key, and returns its response once the headers have arrived. */
  function openStream(path: string): Promise<Response> {
    const controller = new AbortController();
    open.push(controller);
    return fetch(`${test.baseUrl}${path}`, {
      headers: { ...eventStream, authorization: `Bearer ${test.apiKey}` },
      signal: controller.signal,
    });
  }

  it("limits the live logs of runs and the streams of MCP together", async () => {
    const logs = `/api/v1/runs/${runId}/logs`;
    const streams = [await openStream(logs), await openStream("/api/mcp")];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(test.service.context.concurrency.count("streams")).toBe(2);
    for (const path of [logs, "/api/mcp"]) {
      const refused = await openStream(path);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(refused.headers.get("ratelimit-policy")).toBe(`"${name}";q=2`);
      expect(await refused.text()).toContain("(2) is reached. Close one, or retry in 5 seconds.");
    }
    open[0]?.abort();
    await expect.poll(() => test.service.context.concurrency.count("streams")).toBe(1);
    expect((await openStream(logs)).status).toBe(200);
  });
});
