import { chmodSync } from "node:fs";
import { messageOf } from "./errors.ts";
import { openExchange } from "./exchange.ts";
import { dataBytes } from "./gauge.ts";
import { LAYERS } from "./layers.ts";
import type { Machine } from "./machine.ts";
import { SandboxProcess, type LaunchTemplate } from "./process.ts";
import type { RuntimeFolder } from "./runtime-folder.ts";
import type { IsolationLayer, SandboxOptions, ToolCode } from "./types.ts";

/** A layer that works on this machine, and how much memory an idle process behind it uses. */
export type Calibration = {
  template: LaunchTemplate;
  idleRssBytes: number;
  retireRssBytes: number;
};

/** A failed attempt to use a layer. */
export type Attempt = { layer: IsolationLayer; problem: string };

/** A tool that returns 1, to check whether tools run at all. */
export const TRIVIAL_TOOL: ToolCode = { id: "trivial", module: "export default () => 1;" };

const MEBIBYTE = 1024 * 1024;
const ANSWER_MS = 10_000;
/** Overhead of the allocator and V8 on top of what a tool allocates. */
const HEADROOM_BYTES = 64 * MEBIBYTE;
/** The isolates of 60 small tools retain 200 MB after some thousand runs, and a process must not be replaced for that. */
const RETIRE_RSS_BYTES = 256 * MEBIBYTE;

/** The layers to try, strongest first. */
export function candidates(options: SandboxOptions): readonly IsolationLayer[] {
  if (options.isolation !== "auto") return [options.isolation];
  return options.allowWeakerIsolation ? LAYERS : ["bwrap"];
}

/**
 * Finds the strongest layer that works, by running a tool behind it twice: once to measure the memory of an idle
 * process, and once within the limit derived from it.
 */
export async function probe(
  options: SandboxOptions,
  machine: Machine,
  folder: RuntimeFolder,
): Promise<{ calibration?: Calibration; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  for (const layer of candidates(options)) {
    for (const dropRoot of usersFor(layer, machine)) {
      const { appDir, socketRoot, filterPath } = folder;
      const template = { layer, machine, appDir, socketRoot, filterPath, dropRoot };
      if (dropRoot) chmodSync(socketRoot, 0o711);
      try {
        return { calibration: await calibrate(template, options.maxMemoryBytes), attempts };
      } catch (error) {
        attempts.push({ layer, problem: messageOf(error) });
      }
    }
  }
  return { attempts };
}

// As root, an unprivileged user is tried first. It cannot work if only root can read the service's files.
function usersFor(layer: IsolationLayer, machine: Machine): boolean[] {
  if (!machine.isRoot) return [false];
  return layer === "bwrap" && machine.programs.setpriv === undefined ? [false] : [true, false];
}

async function calibrate(template: LaunchTemplate, maxMemoryBytes: number): Promise<Calibration> {
  const unlimited = await measure(template);
  const retireRssBytes = Math.min(RETIRE_RSS_BYTES, maxMemoryBytes);
  const limit = unlimited.dataBytes + maxMemoryBytes + retireRssBytes + HEADROOM_BYTES;
  const limited = { ...template, dataBytes: limit };
  const { idleRssBytes } = await measure(limited);
  return { template: limited, idleRssBytes, retireRssBytes };
}

async function measure(
  template: LaunchTemplate,
): Promise<{ idleRssBytes: number; dataBytes: number }> {
  const process = await SandboxProcess.start(template);
  const timer = setTimeout(() => process.kill(), ANSWER_MS);
  try {
    const idleRssBytes = process.gauge.read()?.rssBytes ?? 0;
    await assertToolRuns(process);
    return { idleRssBytes, dataBytes: dataBytes(process.pid) };
  } finally {
    clearTimeout(timer);
    process.kill();
    await process.exited;
  }
}

async function assertToolRuns(process: SandboxProcess): Promise<void> {
  await process.load(TRIVIAL_TOOL);
  const headers = { "x-code": TRIVIAL_TOOL.id, "x-nonce": "probe" };
  const meta = {
    logNonce: "probe",
    runId: "probe",
    credentials: {},
    logBytes: 0,
    outputBytes: 10,
    wallMs: 1,
  };
  const exchange = openExchange(process.client, headers);
  const reply = await exchange.finish(`${JSON.stringify(meta)}\n{}`, 10);
  if (reply.outcome === "completed" && reply.body === "1") return;
  throw new Error(`The test tool returned an unexpected result: ${JSON.stringify(reply)}`);
}
