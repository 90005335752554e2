import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LockTimeoutError, withProcessLock } from "./process-lock.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-lock-"));
  file = join(folder, "file.lock");
});
afterEach(() => rm(folder, { recursive: true }));

/** A process that takes the lock and runs code while it has it. */
function startHolder(code: string) {
  const script = `
    import { rm, writeFile } from "node:fs/promises";
    import { setTimeout as sleep } from "node:timers/promises";
    import { withProcessLock } from ${JSON.stringify(join(import.meta.dirname, "process-lock.ts"))};
    await withProcessLock(${JSON.stringify(file)}, { waitMs: 30_000 }, async () => { ${code} });`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function leaveStaleLock(): Promise<void> {
  const killed = startHolder(`console.log("taken"); await sleep(60_000);`);
  await once(killed.stdout, "data");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(existsSync(file)).toBe(true);
}

const take = (waitMs = 300) => withProcessLock(file, { waitMs }, async () => "taken");

/** Changes the description of the holder in the file. */
async function changeHolder(change: Record<string, unknown>): Promise<void> {
  const holder = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...holder, ...change }));
}

describe("withProcessLock", () => {
  it("lets one process at a time run, also if all find the lock of one that was killed", async () => {
    const busy = JSON.stringify(join(folder, "busy"));
    const code = `await writeFile(${busy}, "", { flag: "wx" }); await sleep(15); await rm(${busy});`;
    for (let round = 0; round < 3; round++) {
      await leaveStaleLock();
      const children = Array.from({ length: 8 }, () => startHolder(code));
      const exits = await Promise.all(children.map((child) => once(child, "exit")));
      expect(exits.map(([exitCode]) => exitCode as number)).toEqual(children.map(() => 0));
    }
    expect(await readdir(folder)).toEqual([]);
  }, 60_000);

  it("takes over after a process was killed while it took over", async () => {
    await leaveStaleLock();
    const { nonce } = JSON.parse(await readFile(file, "utf8")) as { nonce: string };
    const stale = await readFile(file, "utf8");
    await writeFile(`${file}.${nonce}`, stale.replace(nonce, "0".repeat(32)));
    expect(await take()).toBe("taken");
    expect(await readdir(folder)).toEqual([]);
  });

  it("waits for a process that runs, however long it has the lock", async () => {
    const living = startHolder(`console.log("taken"); await sleep(1_000);`);
    await once(living.stdout, "data");
    await expect(take()).rejects.toThrow(LockTimeoutError);
    expect(await take(20_000)).toBe("taken");
  });

  it.runIf(process.platform === "linux")(
    "notices that another process has the same PID",
    async () => {
      await leaveStaleLock();
      await changeHolder({ pid: process.pid });
      expect(await take()).toBe("taken");
    },
  );

  it.runIf(process.platform === "linux")("notices that the machine was restarted", async () => {
    await leaveStaleLock();
    await changeHolder({ pid: 1, boot: "earlier" });
    expect(await take()).toBe("taken");
  });

  it.each([{ host: `not-${hostname()}` }, { namespace: "pid:[1]" }, { nonce: "../../x" }])(
    "takes no lock of a process that it cannot see: %j",
    async (change) => {
      await leaveStaleLock();
      await changeHolder(change);
      await expect(take()).rejects.toThrow(LockTimeoutError);
    },
  );
});
