import type { InternalServices } from "./egress/internal-service.ts";
import type { EgressNetworkOptions } from "./egress/egress-network.ts";
import type { EgressPolicy } from "./egress/policy.ts";
import type { HostUsage } from "./egress/egress-report.ts";
import type { SecretUse } from "./egress/secrets.ts";

/** How strongly the operating system fences a sandbox process, strongest first. */
export type IsolationLayer = "bwrap" | "namespaces" | "process";

/** Levels of a console line, as the tool chose them (`console.log` is `info`). */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** One console call of a tool. `at` is Unix time in milliseconds. */
export type LogEntry = { at: number; level: LogLevel; message: string };

/** What a tool last said of its progress: a fraction from 0 to 1, and words. */
export type Progress = { fraction: number; message?: string };

/** Bounds of one run. Exceeding one kills the process and ends the run with the code named beside it. */
export type Limits = {
  /** Wall time from the lease of a process to the output. → `timeout` */
  wallMs: number;
  /** CPU time of the sandbox process over the run, module evaluation included. → `cpu_limit` */
  cpuMs: number;
  /** Memory of the process above its idle baseline (heap, ArrayBuffers, WebAssembly). → `memory_limit` */
  memoryBytes: number;
  /** Size of the output as JSON text. → `output_too_large` */
  outputBytes: number;
  /** Console bytes kept; what comes after is dropped and `logsTruncated` set. The run goes on. */
  logBytes: number;
};

/** A bundled tool: one ES module without imports other than `node:*`, whose default export is the tool. */
export type ToolCode = {
  /** Content hash of `module`: equal ids mean equal code. */
  id: string;
  module: string;
};

export type ExecuteRequest = {
  runId: string;
  /** A process serves one workspace for its whole life. */
  workspaceId: string;
  /**
   * Runs with equal keys may share an isolate, so it must name everything that may not leak between
   * two runs: the tool version, the user, the credentials.
   */
  reuseKey: string;
  code: ToolCode;
  /** JSON text of the tool's input. */
  inputJson: string;
  isolation: "reuse" | "fresh";
  /** A run that another waits for: it takes one of the processes that are kept for those. */
  isChild?: boolean;
  limits: Limits;
  /** What it may reach; nothing without it. */
  egress?: EgressPolicy;
  /**
   * Hosts that we answer for ourselves. `ctx.files` asks `files.internal` and `ctx.tools` asks
   * `tools.internal`; each is not there without it.
   */
  services?: InternalServices;
  /** What `ctx.credentials` holds: placeholders by name, never secrets. */
  credentials: Readonly<Record<string, string>>;
  /** Aborting it cancels the run: egress is revoked, then the process is killed. */
  signal?: AbortSignal;
  /** Called when a process is leased and the wall time begins. */
  onStart?: () => void;
  onLog?: (entry: LogEntry) => void;
  onProgress?: (progress: Progress) => void;
};

/** Why a run failed, in the words of the wire contract. */
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

/** What a run used and left behind, whatever its end. */
export type Usage = {
  logs: LogEntry[];
  logsTruncated: boolean;
  /** CPU milliseconds of the sandbox process while it was leased to this run. */
  cpuMs: number;
  /** Milliseconds from the lease of a process to the end. */
  durationMs: number;
  /** Milliseconds spent waiting for a free process before that. */
  waitMs: number;
  /** Whether the isolate had served an earlier run. */
  reused: boolean;
  /** What it asked of the network, by host. */
  egress: HostUsage[];
  /** Where each of its secrets was sent. */
  secretUse: SecretUse[];
};

/** The end of a run. `output` is the JSON value that the tool returned (`null` for nothing). */
export type ExecuteResult = Usage &
  (
    | { status: "completed"; output: unknown }
    | { status: "failed"; error: Failure }
    | { status: "cancelled" }
  );

/** What the sandbox can do on this machine, as the probe at start found it. */
export type SandboxStatus =
  | { ready: true; layer: IsolationLayer; advice?: string }
  | { ready: false; layer?: IsolationLayer; problem: string; advice: string };

export type SandboxOptions = {
  /** A folder of our own for sockets and process files; made if missing, emptied at start. */
  runtimeDir: string;
  isolation: "auto" | IsolationLayer;
  /**
   * Whether `auto` may go below `bwrap`. Only for a server that nobody else can reach; an
   * `isolation` named outright is the operator's decision and always honored.
   */
  allowWeakerIsolation: boolean;
  /** Processes that may exist at once, idle ones included, beside those for children. */
  maxProcesses: number;
  /**
   * As many more for runs that other runs wait for; none when left out. Those who wait keep their processes,
   * so without processes of their own the others might never get one.
   */
  childProcesses?: number;
  /** Generic processes kept ready for the next workspace. */
  idleProcesses: number;
  /** The largest `memoryBytes` that any run may ask for; the process's own rlimit is set from it. */
  maxMemoryBytes: number;
  /** Runs after which a process is retired. */
  maxRunsPerProcess: number;
  /** Age in milliseconds after which a process is retired. */
  maxProcessAgeMs: number;
  egress?: EgressNetworkOptions;
  /** Told of what an operator should know. Never given tool data. */
  log?: (
    level: "info" | "warn" | "error",
    message: string,
    fields?: Record<string, unknown>,
  ) => void;
};

export type Sandbox = {
  /** What the probe at start found, and whether runs can start. */
  status(): SandboxStatus;
  /** Runs a trivial tool through the whole path and says whether it answered. For `/readyz`. */
  check(): Promise<SandboxStatus>;
  /**
   * Runs a tool once. Never throws for what the tool does; rejects only when no run can start
   * (the sandbox is not ready or is stopping).
   */
  execute(request: ExecuteRequest): Promise<ExecuteResult>;
  /** Figures for `/metrics`. */
  stats(): { processes: number; leased: number; waiting: number; started: number; killed: number };
  /** Kills every process. Runs under way end as `interrupted`. */
  stop(): Promise<void>;
};
