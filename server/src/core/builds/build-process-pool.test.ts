import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import { createBuildProcessPool } from "./build-process-pool.ts";

const dataDir = mkdtempSync(join(tmpdir(), "build-processes-"));
const config = readConfig({ DATA_DIR: dataDir });
const log = createLog("fatal");
const idleMs = 2_000;
const pools = ["prepared", "used"].map((name) =>
  createBuildProcessPool(config, join(dataDir, name), log, idleMs),
);
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  rmSync(dataDir, { recursive: true });
});

/** Whether any process has the folder of a pool in its command line. */
function hasProcesses(name: string): boolean {
  const folder = `${join(dataDir, name)}/`;
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(folder));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

describe("createBuildProcessPool", () => {
  const [prepared, used] = pools;

  it("retains no process until the first build", async () => {
    prepared?.prepare();
    await expect.poll(() => hasProcesses("prepared")).toBe(true);
    await expect.poll(() => hasProcesses("prepared")).toBe(false);
  });

  it("starts the next processes with a build, and ends them when none follows", async () => {
    for (let build = 0; build < 2; build += 1) {
      const taken = await used?.take("plain");
      expect(taken?.hasExited()).toBe(false);
      taken?.kill();
      await taken?.exited;
      await sleep(idleMs / 4);
      expect(hasProcesses("used")).toBe(true);
      await expect.poll(() => hasProcesses("used")).toBe(false);
    }
  });
});
