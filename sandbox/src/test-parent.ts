// A separate service for tests that kill one: starts a sandbox, leaves a loop running in it, and writes its status and
// processes to standard output.
import { descendants } from "../escape/support/processes.ts";
import { createSandbox } from "./sandbox.ts";
import { LIMITS, MEBIBYTE, until } from "./test-sandbox.ts";
import type { IsolationLayer, SandboxStatus } from "./types.ts";

/** The service's report, as one line of JSON: its status, the process that starts the others, and those. */
export type Report = { status: SandboxStatus; launcher: number | undefined; pids: number[] };

const LAYERS: Record<string, IsolationLayer> = {
  bwrap: "bwrap",
  namespaces: "namespaces",
  process: "process",
};
const [layer = "auto", runtimeDir = "", weaker = ""] = process.argv.slice(2);

const sandbox = await createSandbox({
  runtimeDir,
  isolation: LAYERS[layer] ?? "auto",
  allowWeakerIsolation: weaker === "weaker",
  maxProcesses: 3,
  idleProcesses: 2,
  idleTimeoutMs: 60_000,
  maxMemoryBytes: 64 * MEBIBYTE,
  maxRunsPerProcess: 100,
  maxProcessAgeMs: 3_600_000,
});

const status = await sandbox.check();
if (status.ready) {
  const loop = {
    runId: "loop",
    workspaceId: "workspace",
    reuseKey: "key",
    code: { id: "loop", module: "export default () => { console.log('on'); for (;;); }" },
    inputJson: "{}",
    isolation: "reuse" as const,
    limits: { ...LIMITS, wallMs: 30_000, cpuMs: 30_000 },
    credentials: {},
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  void sandbox.execute({ ...loop, onLog: () => resolve() });
  await promise;
  // The process that replaces the leased one starts in the background.
  await until(() => descendants(process.pid).filter(isWorker).length === 3, 20_000);
}
// Like a service that waits for its runs.
process.on("SIGHUP", () => {});
const [launcher, ...pids] = descendants(process.pid).map(({ pid }) => pid);
const report: Report = { status, launcher, pids };
process.stdout.write(`${JSON.stringify(report)}\n`);
setInterval(() => {}, 1_000);

function isWorker({ program }: { program: string }): boolean {
  return program === "workerd";
}
