import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startTestService } from "#testing/service";
import { unavailable } from "./stop-service.ts";

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

it.each(["starting", "stopping"] as const)(
  "shows browsers a page that reloads while the service is %s, and returns programs a problem",
  async (state) => {
    const url = "http://localhost:3000/alerts";
    const get = (accept: string, method = "GET") =>
      unavailable(state, new Request(url, { method, headers: { accept } }));
    const page = await get("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([page.status, page.headers.get("refresh")]).toEqual([503, "2"]);
    expect(await page.text()).toContain("This page reloads");
    for (const problem of [await get("*/*"), await get("text/html", "POST")]) {
      expect(problem.headers.get("refresh")).toBeNull();
      expect(await problem.json()).toMatchObject({ code: "unavailable" });
    }
  },
);
