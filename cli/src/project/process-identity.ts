import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { promisify } from "node:util";

/** Identifies a process beyond its number, which the system gives to another process later. */
export type ProcessIdentity = {
  pid: number;
  /** When it started, in a form that only equals itself. Undefined where the system does not tell. */
  startedAt?: string | undefined;
  /** Where the number is valid: the machine, and the namespace of a container. */
  machine: string;
};

/** Describes this process. */
export async function describeProcess(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, startedAt: await startOf(pid), machine: await describeMachine() };
}

/** Whether a process still runs; undefined if it is of another machine or container. */
export async function isRunning({
  pid,
  startedAt,
  machine,
}: ProcessIdentity): Promise<boolean | undefined> {
  if (machine !== (await describeMachine())) return undefined;
  if (!hasProcess(pid)) return false;
  const current = await startOf(pid);
  if (current === "ended") return false;
  return current === undefined || startedAt === undefined || current === startedAt;
}

async function describeMachine(): Promise<string> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()}${namespace === "" ? "" : ` ${namespace}`}`;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined),
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
  ]);
  // The name in parentheses can contain anything; the start is the 20th field after it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended, and waits for its parent only.
  if (fields?.[0] === "Z") return "ended";
  const ticks = fields?.[19];
  if (ticks !== undefined) return `${boot.trim()} ${ticks}`;
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const listed = promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], { env });
  return listed.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}
