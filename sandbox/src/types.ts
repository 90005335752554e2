import type { InternalServices } from "./egress/internal-service.ts";
import type { EgressNetworkOptions } from "./egress/egress-network.ts";
import type { EgressPolicy } from "./egress/policy.ts";
import type { HostUsage } from "./egress/egress-report.ts";
import type { SecretUse } from "./egress/secrets.ts";

/** How the operating system isolates a sandbox process, strongest first. */
export type IsolationLayer = "bwrap" | "namespaces" | "process";

/** Level of a console line (`console.log` is `info`). */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** One console call of a tool. `at` is Unix time in milliseconds. */
export type LogEntry = { at: number; level: LogLevel; message: string };

/** A tool's latest progress: a fraction from 0 to 1, and an optional message. */
export type Progress = { fraction: number; message?: string };

/** Limits of one run. Exceeding one kills the process and ends the run with the code after the arrow. */
export type Limits = {
  /** Wall time from the lease of a process to the output. → `timeout` */
  wallMs: number;
  /** CPU time of the sandbox process over the run, module evaluation included. → `cpu_limit` */
  cpuMs: number;
  /** Memory of the process above its idle baseline (heap, ArrayBuffers, WebAssembly). → `memory_limit` */
  memoryBytes: number;
  /** Size of the output as JSON text. → `output_too_large` */
  outputBytes: number;
  /** Stored console bytes. Further lines are dropped and `logsTruncated` is set, but the run continues. */
  logBytes: number;
};

/** A bundled tool: one ES module that imports only `node:*` modules and exports the tool as its default. */
export type ToolCode = {
  /** Content hash of `module`: equal ids mean equal code. */
  id: string;
  module: string;
};

export type ExecuteRequest = {
  runId: string;
  /** A process serves only one workspace during its life. */
  workspaceId: string;
  /**
   * Runs with equal keys may share an isolate, so the key must contain everything that must not leak between runs: the
   * tool version, the user, the credentials.
   */
  reuseKey: string;
  code: ToolCode;
  /** JSON text of the tool's input. */
  inputJson: string;
  isolation: "reuse" | "fresh";
  /** Whether another run waits for this one. Child runs use the processes reserved for them. */
  isChild?: boolean;
  limits: Limits;
  /** Which hosts the run may reach. None if omitted. */
  egress?: EgressPolicy;
  /**
   * Hosts that the service answers itself. `ctx.files` requires `files.internal`, `ctx.tools` requires
   * `tools.internal`, and `ctx.ask` requires `questions.internal`.
   */
  services?: InternalServices;
  /** The content of `ctx.credentials`: placeholders by name, and the values of exposed credentials. */
  credentials: Readonly<Record<string, string>>;
  /**
   * Awaited before each request of the tool is served, to a host or a service. If it rejects, the request fails as after the
   * end of the run.
   */
  beforeRequest?: () => Promise<void>;
  /** Aborting it cancels the run: revokes its egress, then kills its process. */
  signal?: AbortSignal;
  /** Called when a process is leased and the wall time starts. */
  onStart?: () => void;
  onLog?: (entry: LogEntry) => void;
  onProgress?: (progress: Progress) => void;
};

/** Error codes of failed runs, as in the API. */
export type FailureCode =
  | "tool_error"
  | "invalid_output"
  | "timeout"
  | "cpu_limit"
  | "memory_limit"
  | "output_too_large"
  | "egress_denied"
  | "interrupted"
  | "sandbox_lost";

export type Failure = { code: FailureCode; message: string; stack?: string };

/** The usage and logs of a run with any outcome. */
export type Usage = {
  logs: LogEntry[];
  logsTruncated: boolean;
  /** CPU milliseconds of the process while it was leased to this run. */
  cpuMs: number;
  /** Milliseconds from the lease of a process to the end. */
  durationMs: number;
  /** Milliseconds spent waiting for a process before that. */
  waitMs: number;
  /** Whether the isolate had already served another run. */
  reused: boolean;
  /** Its network requests, by host. */
  egress: HostUsage[];
  /** Where each of its secrets was sent. */
  secretUse: SecretUse[];
};

/** The result of a run. `output` is the JSON value that the tool returned (`null` if none). */
export type ExecuteResult = Usage &
  (
    | { status: "completed"; output: unknown }
    | { status: "failed"; error: Failure }
    | { status: "cancelled" }
  );

/** Numbers for `/metrics`. */
type SandboxStats = {
  processes: number;
  leased: number;
  waiting: number;
  started: number;
  /** Starts of processes that failed. */
  failedStarts: number;
  killed: number;
  /** Killed because a run exceeded a limit, crashed, was cancelled or left work behind. Included above. */
  unusable: number;
};

/** Whether tools can run: as the probe at startup found, and whether processes can be started since. */
export type SandboxStatus =
  | { ready: true; layer: IsolationLayer; advice?: string }
  | { ready: false; layer?: IsolationLayer; problem: string; advice: string };

export type SandboxOptions = {
  /** A folder for sockets and process files. Created if missing, emptied at startup. */
  runtimeDir: string;
  isolation: "auto" | IsolationLayer;
  /**
   * Whether `auto` may use layers weaker than `bwrap`, for servers that only the local user can reach. A layer that the
   * operator selected explicitly is always used.
   */
  allowWeakerIsolation: boolean;
  /** Maximum number of processes, including idle ones but not those for child runs. */
  maxProcesses: number;
  /**
   * Additional processes for child runs. None if omitted. Parents keep their processes while they wait, so without
   * reserved processes their children might never get one.
   */
  childProcesses?: number;
  /** Idle, unassigned processes for the next workspace. */
  idleProcesses: number;
  /** How long a process waits for another run of its workspace before it ends. */
  idleTimeoutMs: number;
  /** Memory for all processes. Those that retain more than their share after a run are replaced. */
  memoryBytes?: number;
  /** The largest `memoryBytes` of any run. The rlimit of the processes is derived from it. */
  maxMemoryBytes: number;
  /** Number of runs after which a process is replaced. */
  maxRunsPerProcess: number;
  /** Age in milliseconds at which a process is replaced. */
  maxProcessAgeMs: number;
  egress?: EgressNetworkOptions;
  /** Receives messages for the operator. They never contain tool data. */
  log?: (
    level: "info" | "warn" | "error",
    message: string,
    fields?: Record<string, unknown>,
  ) => void;
  /** Called when a process can be started after it could not: `status()` is ready again. */
  onRecovery?: () => void;
};

export type Sandbox = {
  /** The result of the probe at startup, and whether runs can start. */
  status(): SandboxStatus;
  /**
   * Runs a trivial tool end to end and reports whether it succeeded. While all processes are in use it runs nothing and
   * reports the sandbox as ready.
   */
  check(): Promise<SandboxStatus>;
  /**
   * Runs a tool once. Rejects only if no run can start (the sandbox is not ready, or is stopping), never because of what
   * the tool does.
   */
  execute(request: ExecuteRequest): Promise<ExecuteResult>;
  /** Numbers for `/metrics`. */
  stats(): SandboxStats;
  /** Kills every process. Runs in progress end as `interrupted`. */
  stop(): Promise<void>;
};
