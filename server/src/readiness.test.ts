import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const sleeper = `export default async ({ ms }) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return {};
};`;
let test: TestService;
afterEach(() => test.stop());

async function readReadiness() {
  const startedAt = performance.now();
  const response = await fetch(`${test.baseUrl}/readyz`);
  const body: unknown = await response.json();
  return { status: response.status, body, ms: performance.now() - startedAt };
}

describe("GET /readyz", () => {
  it("responds within 200 ms while all sandbox processes are in use and runs wait", async () => {
    test = await startTestService({
      SANDBOX_MAX_PROCESSES: "1",
      RUN_CHILD_DEPTH: "0",
      NODE_MAX_CONCURRENT_RUNS: "4",
    });
    const tool = await test.makeTool(sleeper);
    const runs = Array.from({ length: 4 }, () =>
      test.call("POST", `/run/${tool}`, { ms: 2_500 }, { prefer: "wait=20" }),
    );
    const { sandbox } = test.service.context;
    await expect.poll(() => sandbox.stats()).toMatchObject({ leased: 1, waiting: 3 });
    const answers = [];
    while (sandbox.stats().waiting > 0) {
      answers.push(await readReadiness());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // Checks of the sandbox run all the time, since someone reads their result.
    expect(answers.length).toBeGreaterThan(20);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const durations = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
    // A busy test machine may delay a single response.
    expect(durations[Math.floor(durations.length * 0.9)]).toBeLessThan(200);
    expect(durations.at(-1)).toBeLessThan(1_000);
    for (const { body } of await Promise.all(runs)) expect(body.status).toBe("completed");
    // No check took the process from the runs.
    expect(sandbox.stats().started).toBe(1);
  });

  it("responds 503 and names the sandbox while tools cannot run", async () => {
    // The path is too long for sockets, so they would be in the folder for temporary files, which does not exist.
    const dataDir = await mkdtemp(join(tmpdir(), `toolhost-readiness-${"x".repeat(100)}-`));
    const starting = startTestService({ DATA_DIR: dataDir });
    vi.stubEnv("TMPDIR", join(dataDir, "missing"));
    test = await starting.finally(() => vi.unstubAllEnvs());
    expect(await readReadiness()).toMatchObject({
      status: 503,
      body: {
        status: "not_ready",
        database: { ready: true },
        sandbox: { ready: false, advice: expect.stringContaining("runtime folder") },
      },
    });
    await rm(dataDir, { recursive: true });
  });
});
