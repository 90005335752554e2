import type { Readable, Writable } from "node:stream";
import type { LaunchedProcess } from "../launcher/launched-process.ts";
import { launchProcess } from "../launcher/launcher.ts";
import { requireProgram } from "../layers.ts";
import { onlyChildOf } from "../only-child.ts";
import { jailCommand, type JailLaunch } from "./jail-command.ts";

const START_MS = 20_000;
const STDERR_BYTES = 4_096;

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
  const child = await launchJail(launch, filterPath);
  const jail = wrap(child, onEnd);
  const timer = setTimeout(() => jail.kill(), START_MS);
  const gone = jail.exited.then(({ code, signal, stderr }) => {
    throw new Error(`${stderr.trim()} (exited with ${signal ?? `code ${code}`})`.trim());
  });
  try {
    await Promise.race([untilReady(jail).then(() => limitProcessCount(child, launch)), gone]);
    return jail;
  } catch (error) {
    jail.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    gone.catch(() => {});
  }
}

function launchJail(launch: JailLaunch, filterPath: string): Promise<LaunchedProcess> {
  const { layer, machine, folder } = launch;
  return launchProcess({
    ...jailCommand(launch),
    cwd: layer === "process" ? folder : "/",
    // Behind the layer `process`, the script's children would survive it.
    isGroup: true,
    niceness: 0,
    inheritedDescriptors: machine.inheritedDescriptors,
    stdio: [
      ...(["pipe", "pipe", "pipe"] as const),
      ...(layer === "bwrap" ? [{ file: filterPath }] : []),
    ],
  });
}

function wrap(child: LaunchedProcess, onEnd: () => void): JailProcess {
  const [input, output, errors] = child.streams;
  if (input === undefined || output === undefined) {
    throw new Error("The jail has no input or output");
  }
  let stderr = "";
  errors?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES);
  });
  const exited = child.closed.then((status) => {
    onEnd();
    return { ...status, stderr };
  });
  return {
    input,
    output,
    exited,
    hasExited: () => child.hasExited,
    kill: () => {
      child.kill();
      // Its end waits for output that nothing reads.
      output.destroy();
    },
  };
}

/**
 * Limits the number of processes in a jail. A limit that is set after the start counts the processes in the jail's user
 * namespace. Set before the start, it would count all processes of that user on this machine.
 */
async function limitProcessCount(
  child: LaunchedProcess,
  { layer, machine, limits }: JailLaunch,
): Promise<void> {
  if (layer !== "bwrap") return;
  const pid = onlyChildOf(child.pid);
  const limiting = await launchProcess({
    program: requireProgram(machine, "prlimit"),
    args: [`--pid=${pid}`, `--nproc=${limits.maxProcesses}`],
    env: {},
    cwd: "/",
    isGroup: false,
    niceness: 0,
    inheritedDescriptors: machine.inheritedDescriptors,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const { code } = await limiting.closed;
  if (code !== 0) throw new Error("The number of processes of the jail could not be limited");
}
