import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeProcess } from "./process-identity.ts";
import { withProjectLock } from "./project-lock.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolhost-lock-"));
  await mkdir(join(root, ".toolhost"));
});
afterEach(() => rm(root, { recursive: true }));

const busy = () => join(root, ".toolhost", "busy");
const files = () => readdir(join(root, ".toolhost"));
const acquire = () => withProjectLock(root, async () => "done");
const nonce = "0".repeat(32);

/** Appends a line when it holds the lock and before it releases it; "busy" if another process holds it. */
const holder = `
  import { appendFile } from "node:fs/promises";
  const [root, log, modulePath, holdMs] = process.argv.slice(1);
  const { withProjectLock } = await import(modulePath);
  try {
    await withProjectLock(root, async () => {
      await appendFile(log, "start " + process.pid + "\\n");
      await new Promise((resolve) => setTimeout(resolve, Number(holdMs)));
      await appendFile(log, "end " + process.pid + "\\n");
    });
  } catch (error) {
    if (error.code !== "busy") throw error;
    await appendFile(log, "busy " + process.pid + "\\n");
  }`;

function startHolder(log: string, holdMs: number) {
  const path = join(import.meta.dirname, "project-lock.ts");
  const args = ["--input-type=module", "--eval", holder, root, log, path, String(holdMs)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<void>((resolve, reject) =>
    child.once("close", (code) => (code === 1 ? reject(new Error(stderr)) : resolve())),
  );
  return { child, ended };
}

const linesOf = async (log: string) => (await readFile(log, "utf8")).trim().split("\n");

/** Kills a process while it holds the lock. */
async function leaveStaleLock(): Promise<void> {
  const log = join(root, "stale");
  const { child, ended } = startHolder(log, 60_000);
  while ((await readFile(log, "utf8").catch(() => "")) === "") {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  await ended;
}

describe("withProjectLock", () => {
  it("releases the lock, also when the function throws", async () => {
    await expect(
      withProjectLock(root, async () => {
        throw new Error("wrong");
      }),
    ).rejects.toThrow("wrong");
    expect(await files()).toEqual([]);
    expect(await acquire()).toBe("done");
  });

  it("throws while the lock is held, and names the process", async () => {
    await withProjectLock(root, async () => {
      await expect(acquire()).rejects.toThrow(`process ${process.pid}`);
    });
  });

  it("takes over from processes that were killed, one after the other", async () => {
    await leaveStaleLock();
    await leaveStaleLock();
    expect(await acquire()).toBe("done");
    expect(await acquire()).toBe("done");
  });

  it("lets one process at a time take over a stale lock", async () => {
    const path = join(root, "log");
    for (let round = 0; round < 4; round++) {
      await leaveStaleLock();
      await rm(path, { force: true });
      await Promise.all(Array.from({ length: 6 }, () => startHolder(path, 5).ended));
      const lines = await linesOf(path);
      const held = lines.filter((line) => !line.startsWith("busy"));
      expect(held.length).toBeGreaterThan(1);
      const starts = held.filter((line) => line.startsWith("start"));
      expect(held).toEqual(starts.flatMap((line) => [line, line.replace("start", "end")]));
    }
  }, 60_000);

  it("recognizes that another process has the number of one that has ended", async () => {
    const owner = await describeProcess();
    await writeFile(busy(), JSON.stringify({ ...owner, startedAt: "earlier", nonce }));
    expect(await acquire()).toBe("done");
  });

  it.runIf(process.platform === "linux")("takes over from a zombie", async () => {
    // The shell starts a process and becomes a program that does not wait for it, before it ends.
    const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"]);
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString());
    const readStat = () => readFile(`/proc/${pid}/stat`, "utf8");
    while (!(await readStat()).includes(") Z ")) await new Promise((done) => setTimeout(done, 10));
    const startedAt = `${(await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim()} ${(await readStat()).split(" ")[21]}`;
    const owner = { ...(await describeProcess()), pid, startedAt, nonce };
    await writeFile(busy(), JSON.stringify(owner));
    expect(await acquire()).toBe("done");
    parent.kill();
  });

  it("does not judge processes of other machines", async () => {
    const owner = await describeProcess();
    await writeFile(busy(), JSON.stringify({ ...owner, machine: "other", pid: 1, nonce }));
    await expect(acquire()).rejects.toThrow("on other");
    expect(hostname()).not.toBe("other");
  });

  it.each([
    ["the number of an earlier version", "999999999"],
    ["no JSON", "{"],
    ["a nonce that is a path", JSON.stringify({ pid: 1, nonce: "../../outside" })],
  ])("takes over from %s", async (_, text) => {
    await writeFile(busy(), text);
    expect(await acquire()).toBe("done");
    expect(await acquire()).toBe("done");
  });

  it("reads no file that a link leads to", async () => {
    await symlink("/dev/zero", busy());
    expect(await acquire()).toBe("done");
  });
});
