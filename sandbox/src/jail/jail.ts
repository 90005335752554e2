import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { adviceFor, problemOf } from "../advice.ts";
import { messageOf } from "../errors.ts";
import { LAYERS, UNPRIVILEGED_ID } from "../layers.ts";
import { inspectHost, type Host } from "../machine.ts";
import type { Attempt } from "../probe.ts";
import { seccompProgram } from "../seccomp.ts";
import type { IsolationLayer } from "../types.ts";
import type { JailLaunch, JailLimits, JailProgram } from "./jail-command.ts";
import { startProcess, type JailProcess } from "./jail-process.ts";

export type JailOptions = {
  /** A folder for the jails. Created if missing, emptied first. */
  runtimeDir: string;
  isolation: "auto" | IsolationLayer;
  /** The script that each jail runs, as the text of a CommonJS module. */
  script: string;
  /** Programs that the script starts: environment variable names, and paths on this machine. */
  programs: JailProgram["programs"];
  nodeFlags: readonly string[];
  environment: JailProgram["environment"];
  limits: JailLimits;
  /** Settles when the script in a new process reports that it works. */
  untilReady: (process: JailProcess) => Promise<void>;
};

/** Starts processes that can access nothing on this machine but their program, behind a layer that works here. */
export type Jail = {
  layer: IsolationLayer;
  /** How to enable a stronger layer, if one was tried and failed. */
  advice?: string;
  start(): Promise<JailProcess>;
};

/** No isolation layer works on this machine. */
export class JailUnavailableError extends Error {
  override name = "JailUnavailableError";
}

/**
 * Finds the strongest layer behind which the script works, and also returns the process that proved it. Throws
 * `JailUnavailableError` with advice if there is none.
 */
export async function createJail(
  options: JailOptions,
): Promise<{ jail: Jail; first: JailProcess }> {
  const host = await inspectHost(process.execPath);
  const files = prepareFolder(options);
  const attempts: Attempt[] = [];
  const layers = options.isolation === "auto" ? LAYERS : [options.isolation];
  for (const layer of layers) {
    // As root, an unprivileged user is tried first. It cannot work if only root can read the service's files.
    for (const dropRoot of host.isRoot && host.programs.setpriv ? [true, false] : [false]) {
      const start = () => startReady(options, host, { ...files, layer, dropRoot });
      try {
        const first = await start();
        const advice = adviceOf(layer, host, attempts);
        return { jail: { layer, start, ...(advice && { advice }) }, first };
      } catch (error) {
        attempts.push({ layer, problem: messageOf(error) });
      }
    }
  }
  throw new JailUnavailableError(`${problemOf(attempts)} ${adviceFor(host, attempts)}`);
}

function adviceOf(layer: IsolationLayer, host: Host, attempts: readonly Attempt[]) {
  const failed = attempts.filter((attempt) => attempt.layer !== layer);
  return failed.length === 0 ? undefined : `${adviceFor(host, failed)} (${problemOf(failed)})`;
}

type Files = { root: string; scriptPath: string; filterPath: string };

function prepareFolder({ runtimeDir, script }: JailOptions): Files {
  const root = resolve(runtimeDir);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o711 });
  const [scriptPath, filterPath] = [join(root, "script.cjs"), join(root, "filter.bpf")];
  writeFileSync(scriptPath, script, { mode: 0o644 });
  writeFileSync(filterPath, seccompProgram(), { mode: 0o644 });
  return { root, scriptPath, filterPath };
}

async function startReady(
  { programs, nodeFlags, environment, limits, untilReady }: JailOptions,
  machine: Host,
  { root, scriptPath, filterPath, layer, dropRoot }: Files & Pick<JailLaunch, "layer" | "dropRoot">,
): Promise<JailProcess> {
  const folder = mkdtempSync(join(root, "jail-"));
  const remove = () => void rm(folder, { recursive: true, force: true }).catch(() => {});
  try {
    // The process that mounts here is root only in its user namespace. Outside, it may be the unprivileged user.
    if (dropRoot) chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    else chmodSync(folder, 0o700);
    const program = { node: process.execPath, scriptPath, programs, nodeFlags, environment };
    const launch = { layer, machine, program, limits, dropRoot, folder };
    return await startProcess(launch, { filterPath, untilReady, onEnd: remove });
  } catch (error) {
    remove();
    throw error;
  }
}
