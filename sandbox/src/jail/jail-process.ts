import { execFile, type ChildProcess } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { promisify } from "node:util";
import { requireProgram } from "../layers.ts";
import { spawnClean } from "../spawn-clean.ts";
import { jailCommand, STATUS_FD, type JailLaunch } from "./jail-command.ts";

const START_MS = 20_000;
const STDERR_BYTES = 4_096;
const run = promisify(execFile);

/** One script in a jail of its own, reached by its standard input and output. */
export type JailProcess = {
  input: Writable;
  output: Readable;
  /** Settles when all of it is gone, with the tail of what it wrote to standard error. */
  exited: Promise<JailExit>;
  hasExited(): boolean;
  /** Ends all of it at once. */
  kill(): void;
};

export type JailExit = { code: number | null; signal: NodeJS.Signals | null; stderr: string };

type Options = {
  filterPath: string;
  untilReady: (process: JailProcess) => Promise<void>;
  onEnd: () => void;
};

/** Starts a jail and waits until its script is ready. Throws with what it wrote when that does not come. */
export async function startProcess(
  launch: JailLaunch,
  { filterPath, untilReady, onEnd }: Options,
): Promise<JailProcess> {
  const child = spawnJail(launch, filterPath);
  if (child.pid !== undefined) raiseOomScore(child.pid);
  const jail = wrap(child, onEnd);
  const timer = setTimeout(() => jail.kill(), START_MS);
  const gone = jail.exited.then(({ code, signal, stderr }) => {
    throw new Error(`${stderr.trim()} (ended with ${signal ?? `code ${code}`})`.trim());
  });
  try {
    await Promise.race([Promise.all([untilReady(jail), limitProcessCount(child, launch)]), gone]);
    return jail;
  } catch (error) {
    jail.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    gone.catch(() => {});
  }
}

/** Where the machine runs out of memory, the kernel ends a jail first, and never the service for one. */
function raiseOomScore(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // It is gone, and says why elsewhere.
  }
}

function spawnJail(launch: JailLaunch, filterPath: string): ChildProcess {
  const { env, ...command } = jailCommand(launch);
  const isBwrap = launch.layer === "bwrap";
  const filter = isBwrap ? openSync(filterPath, "r") : undefined;
  const stdio: ("pipe" | number)[] = ["pipe", "pipe", "pipe"];
  if (filter !== undefined) stdio.push(filter, "pipe");
  try {
    const { inheritedDescriptors } = launch.machine;
    const cwd = launch.layer === "process" ? launch.folder : "/";
    return spawnClean(command, { stdio, env, cwd, inheritedDescriptors, isGroup: true });
  } finally {
    if (filter !== undefined) closeSync(filter);
  }
}

function wrap(child: ChildProcess, onEnd: () => void): JailProcess {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The jail has no input or output");
  // The end of the process says more than a write that came too late.
  stdin.on("error", () => {});
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES);
  });
  const { promise: exited, resolve } = Promise.withResolvers<JailExit>();
  child.once("error", (error) => {
    stderr += error.message;
    if (child.pid === undefined) end(null, null);
  });
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    onEnd();
    resolve({ code, signal, stderr });
  };
  child.once("close", end);
  return {
    input: stdin,
    output: stdout,
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => {
      killGroup(child);
      // Output that nobody reads would keep "close" from coming.
      stdout.destroy();
    },
  };
}

/** Behind `process`, what the script started would outlive it. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Bounds the processes of a jail. Set from outside and afterwards, the limit counts those of the jail's own user
 * namespace; set before, it would count all that the same user runs on this machine.
 */
async function limitProcessCount(
  child: ChildProcess,
  { layer, machine, limits }: JailLaunch,
): Promise<void> {
  if (layer !== "bwrap") return;
  const status = child.stdio[STATUS_FD];
  if (!(status instanceof Readable)) throw new Error("The status of bwrap was not opened");
  const text = await firstLine(status);
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1];
  if (pid === undefined) throw new Error("bwrap did not name its child");
  await run(requireProgram(machine, "prlimit"), [`--pid=${pid}`, `--nproc=${limits.maxProcesses}`]);
}

/** The stream stays open: bwrap writes to it once more when it ends. */
function firstLine(stream: Readable): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < STDERR_BYTES) text += chunk.toString();
    if (text.includes("\n")) resolve(text);
  });
  return promise;
}
