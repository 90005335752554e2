import { randomBytes } from "node:crypto";
import { copyFile, constants, link, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "./json.ts";
import { isMissing } from "./project/write-atomic.ts";

/** The process that holds a lock. The same PID can belong to another process later, on another machine or in a container. */
type LockHolder = {
  nonce: string;
  pid: number;
  host: string;
  /** The start of the machine, of its PID namespace, and of the process, where the system tells them. */
  boot: string | null;
  namespace: string | null;
  startedAt: string | null;
};

/** The lock was not released in time. */
export class LockTimeoutError extends Error {
  override name = "LockTimeoutError";
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(`${file} is locked by another process.`);
    this.holder = holder;
  }
}

const pauseMs = 50;

/**
 * Runs something while no other process holds the lock file. The lock of a process that is known to have ended is taken over;
 * that of any other is waited for. Throws `LockTimeoutError`.
 */
export async function withProcessLock<T>(
  file: string,
  { waitMs }: { waitMs: number },
  run: () => Promise<T>,
): Promise<T> {
  const holder = await describeSelf();
  const endsAt = Date.now() + waitMs;
  while (!(await tryLock(file, holder))) {
    if (Date.now() >= endsAt) throw new LockTimeoutError(file, await readHolder(file));
    await sleep(pauseMs);
  }
  try {
    return await run();
  } finally {
    await release(file, holder);
  }
}

/** Takes a lock that is free, or whose holder has ended. */
async function tryLock(file: string, self: LockHolder): Promise<boolean> {
  if (await create(file, self)) return true;
  const holder = await readHolder(file);
  if (holder === undefined || !(await hasEnded(holder, self))) return false;
  // Only one process at a time may remove the lock of this holder, and only while it is still there: another process could
  // otherwise remove the lock of the one that took over.
  const takeover = `${file}.${holder.nonce}`;
  if (!(await tryLock(takeover, self))) return false;
  try {
    if ((await readHolder(file))?.nonce === holder.nonce) await rm(file, { force: true });
  } finally {
    await release(takeover, self);
  }
  return create(file, self);
}

/** Creates the lock with its whole content at once, so that no process reads half of it. */
async function create(file: string, self: LockHolder): Promise<boolean> {
  const temporary = `${file}.${self.nonce}.tmp`;
  await writeFile(temporary, JSON.stringify(self), { mode: 0o600 });
  try {
    await link(temporary, file).catch(async (error: unknown) => {
      if (isExisting(error)) throw error;
      // Some file systems have no hard links.
      await copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function release(file: string, self: LockHolder): Promise<void> {
  if ((await readHolder(file))?.nonce === self.nonce) await rm(file, { force: true });
}

const isExisting = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EEXIST";

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !/^[0-9a-f]{16,64}$/.test(String(value["nonce"]))) return undefined;
    return value as LockHolder;
  } catch {
    return undefined;
  }
}

async function describeSelf(): Promise<LockHolder> {
  return {
    nonce: randomBytes(16).toString("hex"),
    pid: process.pid,
    host: hostname(),
    boot: await readLine("/proc/sys/kernel/random/boot_id"),
    namespace: await readlink("/proc/self/ns/pid").catch(() => null),
    startedAt: await readStart("self"),
  };
}

/** Whether a process is known to have ended. Unknown is no. */
async function hasEnded(holder: LockHolder, self: LockHolder): Promise<boolean> {
  if (holder.host !== self.host) return false;
  if (holder.boot !== self.boot) return holder.boot !== null && self.boot !== null;
  if (holder.namespace !== self.namespace) return false;
  if (!Number.isSafeInteger(holder.pid) || holder.pid < 1) return false;
  if (!isRunning(holder.pid)) return true;
  const startedAt = await readStart(String(holder.pid));
  if (startedAt === "ended") return true;
  return startedAt !== null && holder.startedAt !== null && startedAt !== holder.startedAt;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** When a process started, in ticks since the start of the machine. Only Linux has this file. A zombie has ended. */
async function readStart(pid: string): Promise<string | null> {
  const stat = await readLine(`/proc/${pid}/stat`);
  // The second field is the name of the program, which can contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" ? "ended" : (fields?.[19] ?? null);
}

const readLine = (file: string): Promise<string | null> =>
  readFile(file, "utf8").then(
    (text) => text.trim(),
    () => null,
  );
