import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EgressLimits, EgressPolicy } from "./egress/policy.ts";
import { createSandbox } from "./sandbox.ts";
import type { ExecuteRequest, ExecuteResult, Limits, Sandbox, SandboxOptions } from "./types.ts";

export const MEBIBYTE = 1024 * 1024;

export const LIMITS: Limits = {
  wallMs: 20_000,
  cpuMs: 2_000,
  memoryBytes: 96 * MEBIBYTE,
  outputBytes: MEBIBYTE,
  logBytes: 10_000,
};

/** A test policy that allows these hosts. */
export function reach(allowedHosts: string[], rest: Partial<EgressPolicy> = {}): EgressPolicy {
  return { allowedHosts, privateHosts: [], limits: EGRESS_LIMITS, ...rest };
}

export const EGRESS_LIMITS: EgressLimits = {
  parallelRequests: 20,
  requests: 1_000,
  bytesSent: 100 * MEBIBYTE,
  bytesReceived: 100 * MEBIBYTE,
  connectMs: 10_000,
};

/** A test sandbox, in a temporary folder that is removed when it stops. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const runtimeDir = mkdtempSync(join(tmpdir(), "sandbox-test-"));
  const sandbox = await createSandbox({
    runtimeDir,
    isolation: "auto",
    allowWeakerIsolation: true,
    maxProcesses: 6,
    idleProcesses: 1,
    idleTimeoutMs: 60_000,
    maxMemoryBytes: 128 * MEBIBYTE,
    maxRunsPerProcess: 1_000,
    maxProcessAgeMs: 3_600_000,
    ...options,
  });
  const stop = async () => {
    await sandbox.stop();
    rmSync(runtimeDir, { recursive: true, force: true });
  };
  return { ...sandbox, stop };
}

export type RunOptions = Partial<Omit<ExecuteRequest, "limits">> & { limits?: Partial<Limits> };

let runs = 0;

/** Runs the source of one module. */
export function run(
  sandbox: Sandbox,
  module: string,
  options: RunOptions = {},
): Promise<ExecuteResult> {
  runs += 1;
  return sandbox.execute({
    runId: `run-${runs}`,
    workspaceId: "workspace",
    reuseKey: "key",
    code: { id: createHash("sha256").update(module).digest("hex"), module },
    inputJson: "{}",
    isolation: "reuse",
    credentials: {},
    ...options,
    limits: { ...LIMITS, ...options.limits },
  });
}

/** The output of a run that is expected to complete. */
export function output(result: ExecuteResult): unknown {
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.output;
}

/** The failure of a run that is expected to fail. */
export function failure(result: ExecuteResult): { code: string; message: string; stack?: string } {
  if (result.status !== "failed") throw new Error(JSON.stringify(result));
  return result.error;
}

export function messages(result: ExecuteResult): string[] {
  return result.logs.map(({ message }) => message);
}

/** Waits until a condition becomes true. */
export async function until(holds: () => boolean, ms = 20_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error("The condition did not become true in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
