import { join } from "node:path";
import type { Limits, SandboxOptions } from "@toolhost/sandbox";

/** Concurrent runs, for each cell. */
export const concurrencies = [1, 16, 64] as const;

/** Isolation modes of the tools under load. */
export const isolations = ["reuse", "fresh"] as const;
export type Isolation = (typeof isolations)[number];

/** The tool under load, which does as little work as possible. */
export const toolCode = "export default async (i) => ({ sum: i.a + i.b })";

/** Concurrent runs per workspace in the benchmark's service. The default would queue most of 64. */
export const workspaceConcurrency = Math.max(...concurrencies);

/** How long the service works after its last response: the audit log is sealed up to a second after a run. */
export const drainMs = 1_300;

const mebibyte = 1024 * 1024;
const pool = {
  maxProcesses: 64,
  idleProcesses: 2,
  idleTimeoutMs: 60_000,
  maxMemoryMb: 256,
  maxRunsPerProcess: 5_000,
  maxProcessAgeMs: 3_600_000,
};

/** The limits of every run, in the service and in the bare pool. */
export const runLimits: Limits = {
  wallMs: 900_000,
  cpuMs: 30_000,
  memoryBytes: pool.maxMemoryMb * mebibyte,
  outputBytes: 6 * mebibyte,
  logBytes: mebibyte,
};

/**
 * The service's environment. It names the sandbox settings with their defaults, because the bare pool uses the same values.
 */
export function serviceEnvironment(dataDir: string): Record<string, string> {
  const settings = {
    PORT: 0,
    HOST: "127.0.0.1",
    BASE_URL: "",
    MCP_URL: "",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    WORKSPACE_MAX_CONCURRENT_RUNS: workspaceConcurrency,
    RATE_LIMIT_REQUESTS_PER_MINUTE: 0,
    RATE_LIMIT_RUNS_PER_MINUTE: 0,
    RATE_LIMIT_USER_REQUESTS_PER_MINUTE: 0,
    RATE_LIMIT_USER_RUNS_PER_MINUTE: 0,
    RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: 0,
    RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: 0,
    RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: 0,
    SANDBOX_ISOLATION: isolationAsked(),
    SANDBOX_MAX_PROCESSES: pool.maxProcesses,
    SANDBOX_IDLE_PROCESSES: pool.idleProcesses,
    SANDBOX_IDLE_TIMEOUT_MS: pool.idleTimeoutMs,
    SANDBOX_MAX_RUNS_PER_PROCESS: pool.maxRunsPerProcess,
    SANDBOX_MAX_PROCESS_AGE_MS: pool.maxProcessAgeMs,
    RUN_MAX_WALL_MS: runLimits.wallMs,
    RUN_MAX_CPU_MS: runLimits.cpuMs,
    RUN_MAX_MEMORY_MB: pool.maxMemoryMb,
    RUN_MAX_OUTPUT_BYTES: runLimits.outputBytes,
    RUN_MAX_LOG_BYTES: runLimits.logBytes,
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, `${value}`]));
}

/** The bare pool's options, which match `serviceEnvironment`. */
export function sandboxOptions(dataDir: string): SandboxOptions {
  const { maxMemoryMb, ...sizes } = pool;
  return {
    ...sizes,
    runtimeDir: join(dataDir, "sandbox"),
    isolation: isolationAsked(),
    allowWeakerIsolation: !process.env["DATABASE_URL"],
    maxMemoryBytes: maxMemoryMb * mebibyte,
  };
}

function isolationAsked(): SandboxOptions["isolation"] {
  const asked = process.env["SANDBOX_ISOLATION"] || "auto";
  if (asked === "auto" || asked === "bwrap" || asked === "namespaces" || asked === "process") {
    return asked;
  }
  throw new Error(`SANDBOX_ISOLATION cannot be "${asked}"`);
}
