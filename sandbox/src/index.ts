export { SandboxUnavailableError } from "./errors.ts";
export { createSandbox } from "./sandbox.ts";
export type {
  ExecuteRequest,
  ExecuteResult,
  Failure,
  FailureCode,
  IsolationLayer,
  Limits,
  LogEntry,
  LogLevel,
  Progress,
  Sandbox,
  SandboxOptions,
  SandboxStatus,
  ToolCode,
  Usage,
} from "./types.ts";
