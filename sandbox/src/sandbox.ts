import { adviceFor, problemOf } from "./advice.ts";
import { createEgressNetwork } from "./egress/egress-network.ts";
import { messageOf, SandboxUnavailableError } from "./errors.ts";
import { execute, type SandboxContext } from "./execute.ts";
import { leaseRequestOf } from "./lease-request.ts";
import { inspectMachine } from "./machine.ts";
import { RecentUse } from "./prewarming.ts";
import { Pool } from "./pool.ts";
import { candidates, probe, TRIVIAL_TOOL, type Attempt, type Calibration } from "./probe.ts";
import { prepareRuntimeFolder, type RuntimeFolder } from "./runtime-folder.ts";
import type {
  ExecuteRequest,
  ExecuteResult,
  Sandbox,
  SandboxOptions,
  SandboxStatus,
} from "./types.ts";
import { Watchdog } from "./watchdog.ts";

const CHECK_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Finds the strongest isolation that works on this machine and keeps processes ready behind it. If none works, it does
 * not throw: `status()` reports the problem with advice, and `execute` rejects.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => {});
  const found = await prepare(options).catch((error: unknown) => notReady(options, error));
  if (found.calibration === undefined) {
    const { problem, advice } = found.status;
    log("error", "The sandbox is unavailable, so no tool can run", { problem, advice });
    return unavailableSandbox(found.status);
  }
  const { calibration, folder, status } = found;
  if (status.advice !== undefined) log("warn", status.advice);
  const { layer, dropRoot, machine } = calibration.template;
  log("info", "The sandbox is ready", { layer, asRoot: machine.isRoot && dropRoot !== true });
  const context: SandboxContext = {
    pool: new Pool({ ...options, ...calibration, log }),
    watchdog: new Watchdog(),
    recentUse: new RecentUse(),
    running: new Set(),
    network: createEgressNetwork(options.egress),
    log,
  };
  return workingSandbox(context, status, folder);
}

type ReadyStatus = Extract<SandboxStatus, { ready: true }>;
type NotReadyStatus = Extract<SandboxStatus, { ready: false }>;
type Found =
  | { calibration: Calibration; folder: RuntimeFolder; status: ReadyStatus }
  | { calibration?: undefined; status: NotReadyStatus };

async function prepare(options: SandboxOptions): Promise<Found> {
  const machine = await inspectMachine();
  const folder = prepareRuntimeFolder(options.runtimeDir, options.maxMemoryBytes);
  const { calibration, attempts } = await probe(options, machine, folder);
  if (calibration === undefined) {
    folder.remove();
    const advice = adviceFor(machine, attempts);
    return { status: { ready: false, problem: problemOf(attempts), advice } };
  }
  const { layer } = calibration.template;
  const failed = attempts.filter((attempt) => attempt.layer !== layer);
  if (failed.length === 0) return { calibration, folder, status: { ready: true, layer } };
  const advice = weakerAdvice(layer, failed, adviceFor(machine, failed));
  return { calibration, folder, status: { ready: true, layer, advice } };
}

function weakerAdvice(layer: string, failed: readonly Attempt[], advice: string): string {
  return `Tools run behind a weaker isolation layer, "${layer}". ${advice} (${problemOf(failed)})`;
}

function notReady(options: SandboxOptions, error: unknown): Found {
  const [layer] = candidates(options);
  // Before any layer is tried, only preparing the folder can fail with a system error.
  const isFolder = error instanceof Error && "syscall" in error;
  const advice = isFolder
    ? `Make the runtime folder writable for the service: ${options.runtimeDir}.`
    : "Run the service on Linux with glibc, and install its dependencies with npm.";
  const status = { ready: false as const, problem: messageOf(error), advice };
  return {
    status: layer === undefined || options.isolation === "auto" ? status : { ...status, layer },
  };
}

function unavailableSandbox(status: NotReadyStatus): Sandbox {
  return {
    status: () => status,
    check: async () => status,
    execute: async () => {
      throw new SandboxUnavailableError(`${status.problem} ${status.advice}`);
    },
    stats: () => ({
      processes: 0,
      leased: 0,
      waiting: 0,
      started: 0,
      failedStarts: 0,
      killed: 0,
      unusable: 0,
    }),
    stop: async () => {},
  };
}

function workingSandbox(
  context: SandboxContext,
  status: ReadyStatus,
  folder: RuntimeFolder,
): Sandbox {
  const { pool } = context;
  let stopped: Promise<void> | undefined;
  const current = () =>
    stopped === undefined ? statusOf(context, status) : stoppingStatus(status);
  return {
    status: current,
    check: async () => {
      if (!current().ready) return current();
      const found = await check(context, status);
      return current().ready ? found : current();
    },
    execute: (request) => execute(context, request),
    stats: () => {
      const { processes, leased, waiting, counts } = pool;
      const { started, recycled, unusable } = counts;
      const failedStarts = pool.starting.failures;
      const killed = recycled + unusable;
      return { processes, leased, waiting, started, failedStarts, killed, unusable };
    },
    stop: () => {
      stopped ??= stop(context, folder);
      return stopped;
    },
  };
}

async function stop(context: SandboxContext, folder: RuntimeFolder): Promise<void> {
  for (const end of context.running) end("interrupted");
  await context.pool.stop();
  await context.network.connections.close();
  folder.remove();
}

function stoppingStatus({ layer }: ReadyStatus): NotReadyStatus {
  return {
    ready: false,
    layer,
    problem: "The sandbox is stopping",
    advice: "Restart the service.",
  };
}

function statusOf({ pool }: SandboxContext, status: ReadyStatus): SandboxStatus {
  const { problem } = pool;
  if (problem === undefined) return status;
  return {
    ready: false,
    layer: status.layer,
    problem: `A sandbox process could not be started: ${problem}`,
    advice: "It is tried again each second, so the service recovers without a restart.",
  };
}

async function check(context: SandboxContext, status: ReadyStatus): Promise<SandboxStatus> {
  const request = trivialRequest(AbortSignal.timeout(CHECK_MS));
  // A sandbox whose processes are all in use works, and the check must not take one from a run.
  if (!context.pool.hasRoomFor(leaseRequestOf(request))) return status;
  const problem = await problemOfTrivialRun(context, request);
  if (problem === undefined) return status;
  const advice = "Check the service's log for sandbox errors.";
  return { ready: false, layer: status.layer, problem, advice };
}

async function problemOfTrivialRun(
  context: SandboxContext,
  request: ExecuteRequest,
): Promise<string | undefined> {
  try {
    return problemOfResult(await execute(context, request));
  } catch (error) {
    return messageOf(error);
  }
}

function problemOfResult(result: ExecuteResult): string | undefined {
  if (result.status === "completed") return undefined;
  if (result.status === "failed") return result.error.message;
  // The check timed out while waiting for a free process: the sandbox is busy, not broken.
  return result.durationMs === 0 ? undefined : "The test tool did not finish in time";
}

function trivialRequest(signal: AbortSignal): ExecuteRequest {
  return {
    runId: "readiness",
    workspaceId: "readiness",
    reuseKey: "readiness",
    code: TRIVIAL_TOOL,
    inputJson: "{}",
    isolation: "reuse",
    limits: {
      wallMs: CHECK_MS,
      cpuMs: CHECK_MS,
      memoryBytes: 64 * MEBIBYTE,
      outputBytes: 100,
      logBytes: 0,
    },
    credentials: {},
    signal,
  };
}
