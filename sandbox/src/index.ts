export { isHostDeclared, parsePrivateHost } from "./egress/declared-hosts.ts";
export type { InternalService, InternalServices } from "./egress/internal-service.ts";
export type { OpenResponse } from "./egress/open.ts";
export type { Outbound } from "./egress/outbound.ts";
export { createOutbound } from "./egress/outbound.ts";
export { OutboundError } from "./egress/outbound-error.ts";
export type { EgressObserver } from "./egress/observation.ts";
export type { EgressLimits, EgressPolicy } from "./egress/policy.ts";
export type { Redactor } from "./egress/redaction.ts";
export { createRedactor, redactInParts } from "./egress/redaction.ts";
export type { SecretMatch } from "./egress/secret-match.ts";
export type { SecretScanner } from "./egress/secret-scanner.ts";
export { createSecretScanner } from "./egress/secret-scanner.ts";
export type { HostUsage } from "./egress/egress-report.ts";
export { SandboxUnavailableError } from "./errors.ts";
export type { Jail } from "./jail/jail.ts";
export { createJail, JailUnavailableError } from "./jail/jail.ts";
export type { JailExit, JailProcess } from "./jail/jail-process.ts";
export { openFilesLimit } from "./open-files.ts";
export { createSandbox } from "./sandbox.ts";
export { shippedProgram } from "./shipped-program.ts";
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
