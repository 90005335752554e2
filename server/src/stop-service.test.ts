import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startTestService } from "#testing/service";

it("serves requests during SHUTDOWN_DELAY_MS while /readyz tells load balancers to leave", async () => {
  const test = await startTestService({ SHUTDOWN_DELAY_MS: "1500" });
  const tool = await test.makeTool("export default () => ({ n: 1 })");
  const ready = await fetch(`${test.baseUrl}/readyz`);
  const stopped = test.stop();
  try {
    const leaving = await fetch(`${test.baseUrl}/readyz`);
    expect([ready.status, leaving.status]).toEqual([200, 503]);
    expect(await leaving.json()).toMatchObject({ status: "stopping", database: { ready: true } });
    expect(leaving.headers.get("connection")).toBe("close");
    expect(await test.call("POST", `/run/${tool}`, {})).toMatchObject({
      status: 200,
      body: { status: "completed" },
    });
    await sleep(1_600);
    await expect(fetch(`${test.baseUrl}/readyz`)).rejects.toThrow("fetch failed");
  } finally {
    await stopped;
  }
});
