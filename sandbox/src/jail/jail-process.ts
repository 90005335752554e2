import { execFile, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { promisify } from "node:util";
import { requireProgram } from "../layers.ts";
import { spawnClean } from "../spawn-clean.ts";
import { jailCommand, STATUS_FD, type JailLaunch } from "./jail-command.ts";

const START_MS = 20_000;
const STDERR_BYTES = 4_096;
const run = promisify(execFile);

/** One script in its own jail. It communicates through standard input and output. */
export type JailProcess = {
  input: Writable;
  output: Readable;
  /** Settles when all of its processes have exited. */
  exited: Promise<JailExit>;
  hasExited(): boolean;
  /** Kills all of its processes. */
  kill(): void;
};

/** How a jail exited, with the end of its standard error. */
export type JailExit = { code: number | null; signal: NodeJS.Signals | null; stderr: string };

type Options = {
  filterPath: string;
  untilReady: (process: JailProcess) => Promise<void>;
  onEnd: () => void;
};

/** Starts a jail and waits until its script is ready. Throws with its standard error if it exits before that. */
export async function startProcess(
  launch: JailLaunch,
  { filterPath, untilReady, onEnd }: Options,
): Promise<JailProcess> {
  const child = spawnJail(launch, filterPath);
  const jail = wrap(child, onEnd);
  const timer = setTimeout(() => jail.kill(), START_MS);
  const gone = jail.exited.then(({ code, signal, stderr }) => {
    throw new Error(`${stderr.trim()} (exited with ${signal ?? `code ${code}`})`.trim());
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
  // The exit of the process explains more than a failed write.
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
      // "close" waits for output that nothing reads.
      stdout.destroy();
    },
  };
}

/** Kills the process group, because behind the layer `process` the script's children would survive it. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It exited in the meantime.
  }
}

/**
 * Limits the number of processes in a jail. A limit that is set after the start counts the processes in the jail's user
 * namespace. Set before the start, it would count all processes of that user on this machine.
 */
async function limitProcessCount(
  child: ChildProcess,
  { layer, machine, limits }: JailLaunch,
): Promise<void> {
  if (layer !== "bwrap") return;
  const status = child.stdio[STATUS_FD];
  if (!(status instanceof Readable)) throw new Error("The status pipe of bwrap is not open");
  const text = await firstLine(status);
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1];
  if (pid === undefined) throw new Error("bwrap did not report its child's pid");
  await run(requireProgram(machine, "prlimit"), [`--pid=${pid}`, `--nproc=${limits.maxProcesses}`]);
}

/** Reads the first line and leaves the stream open, because bwrap writes to it again when it exits. */
function firstLine(stream: Readable): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < STDERR_BYTES) text += chunk.toString();
    if (text.includes("\n")) resolve(text);
  });
  return promise;
}
