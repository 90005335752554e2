import type { Reply } from "./exchange.ts";
import { DENIAL_PREFIX } from "./egress/egress-errors.ts";
import { ranOutOfMemory, wasKilled, type Exit } from "./exit.ts";
import { readJson } from "./read-json.ts";
import type { Failure, FailureCode, Limits } from "./types.ts";
import type { Breach, Watched } from "./watchdog.ts";

/** Why the sandbox killed the process of a run. */
export type KillReason = Breach | "cancelled" | "interrupted" | "output_too_large";

/** How a run ended, without its usage. */
export type RunOutcome =
  | { status: "completed"; output: unknown }
  | { status: "failed"; error: Failure }
  | { status: "cancelled" };

/** An isolate's report of a failure. The tool controls every field. */
type ErrorReport = { name: string; message: string; stack: string; denied: boolean };

const MEBIBYTE = 1024 * 1024;
/** The isolate truncates to the same lengths, but a tool may replace its response. */
const MESSAGE_CHARS = 8_000;
const STACK_CHARS = 16_000;
// The errors that V8 throws when the process may not allocate more memory.
const NO_MEMORY =
  /^(Array buffer allocation failed|Out of memory|WebAssembly\.\S+ could not (allocate|grow))/i;
const CLONE_OUT_OF_MEMORY = /out of memory/i;
const OUT_OF_MEMORY_CRASH =
  /out of memory|heap limit|bad_alloc|allocation failed|cannot allocate memory/i;
// workerd's message to a tool that keeps reading after the connection closed.
const CUT = /network connection lost/i;
const HUNG = /would never generate a response|had hung/;
const START_FAILED = /^Failed to start Worker:\s*(?:Uncaught )?/;

function failed(code: Failure["code"], message: string, stack?: string): RunOutcome {
  return { status: "failed", error: { code, message, ...(stack ? { stack } : {}) } };
}

const HARMLESS: readonly string[] = [
  "tool_error",
  "invalid_output",
  "egress_denied",
  "output_too_large",
] satisfies FailureCode[];

/** Whether the process can be reused after this failed run. */
export function isHarmless(outcome: RunOutcome): boolean {
  if (outcome.status !== "failed") return false;
  return HARMLESS.includes(outcome.error.code);
}

/** The outcome of a run that the sandbox killed. */
export function outcomeOfKill(killReason: KillReason, limits: Limits): RunOutcome {
  if (killReason === "cancelled") return { status: "cancelled" };
  return failed(killReason, killMessage(killReason, limits));
}

function killMessage(killReason: Exclude<KillReason, "cancelled">, limits: Limits): string {
  const messages = {
    timeout: `The tool did not finish within ${limits.wallMs} ms.`,
    cpu_limit: `The tool used more than ${limits.cpuMs} ms of CPU time.`,
    memory_limit: `The tool used more than ${mebibytes(limits)} MiB of memory.`,
    output_too_large: `The tool's output is larger than ${limits.outputBytes} bytes of JSON.`,
    interrupted: "The sandbox stopped while the tool was running.",
  };
  return messages[killReason];
}

function mebibytes(limits: Limits): number {
  return Math.round(limits.memoryBytes / MEBIBYTE);
}

/**
 * The outcome of a run whose process exited although the sandbox did not kill it. If no other process killed it either,
 * it was out of memory if its crash report states so, or if it had used over half of its limit: V8 crashes below the
 * limit when a single allocation would exceed it.
 */
export function outcomeOfExit(exit: Exit, watched: Watched, limits: Limits): RunOutcome {
  const usedMuch = watched.peakBytes > limits.memoryBytes / 2;
  if (!wasKilled(exit) && (ranOutOfMemory(exit) || usedMuch)) {
    return outcomeOfKill("memory_limit", limits);
  }
  return failed(
    "sandbox_lost",
    "The sandbox process ended unexpectedly while the tool was running.",
  );
}

/** The outcome that the isolate reported, or the dispatcher if the isolate could not. */
export function outcomeOfReply(reply: Reply, limits: Limits): RunOutcome {
  if (reply.outcome === "too_large") return outcomeOfKill("output_too_large", limits);
  if (reply.outcome === "completed") return outcomeOfOutput(reply.body, limits);
  const report = parseReport(reply.body);
  if (reply.outcome === "invalid") return failed("invalid_output", toSentence(report.message));
  return reply.outcome === "failed"
    ? outcomeOfThrow(report, limits)
    : outcomeOfBroken(report, limits);
}

/**
 * The isolate already serialized and measured this text, but a tool can intercept the response (with a `then` on the
 * prototype of responses) and replace it with anything.
 */
function outcomeOfOutput(outputJson: string, limits: Limits): RunOutcome {
  if (Buffer.byteLength(outputJson) > limits.outputBytes) {
    return outcomeOfKill("output_too_large", limits);
  }
  const read = readJson(outputJson);
  if ("tooLarge" in read) return failed("output_too_large", `The tool's output ${read.tooLarge}.`);
  if ("invalid" in read) return failed("invalid_output", `The tool's output ${read.invalid}.`);
  return { status: "completed", output: read.value };
}

/** The same outcome, or the reason for cutting off a response if that is what failed: the tool did not see it. */
export function withCutReason(outcome: RunOutcome, reason: string | undefined): RunOutcome {
  if (reason === undefined || outcome.status !== "failed") return outcome;
  const { code, message, stack } = outcome.error;
  return code === "tool_error" && CUT.test(message)
    ? failed("egress_denied", deniedMessage(reason), stack)
    : outcome;
}

function outcomeOfThrow(report: ErrorReport, limits: Limits): RunOutcome {
  const { name, message, stack, denied } = report;
  if (denied) return failed("egress_denied", deniedMessage(message), stack);
  const isOutOfMemory =
    name === "RangeError"
      ? NO_MEMORY.test(message)
      : name === "DataCloneError" && CLONE_OUT_OF_MEMORY.test(message);
  if (isOutOfMemory) {
    return failed("memory_limit", `${killMessage("memory_limit", limits)} ${message}`, stack);
  }
  const isNamed = name !== "" && name !== "Error" && !message.startsWith(name);
  return failed("tool_error", isNamed ? `${name}: ${message}` : message, stack);
}

/** The message of a denial without its prefix, which is for the tool's code: the failure has a code of its own. */
function deniedMessage(message: string): string {
  if (message.startsWith("proxy request failed")) return "Raw connections are not allowed.";
  return message.startsWith(DENIAL_PREFIX)
    ? toSentence(message.slice(DENIAL_PREFIX.length))
    : message;
}

function toSentence(message: string): string {
  const trimmed = message.trimEnd();
  const end = /[.!?]$/.test(trimmed) ? "" : ".";
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${end}`;
}

// The isolate never responded: its module does not compile, or it waits for a promise that never settles.
function outcomeOfBroken({ message }: ErrorReport, limits: Limits): RunOutcome {
  if (HUNG.test(message)) {
    return failed("timeout", "The tool awaits a promise that can never settle.");
  }
  if (START_FAILED.test(message)) {
    const [first = message, ...rest] = message.replace(START_FAILED, "").split("\n");
    return failed("tool_error", first, [first, ...rest].join("\n"));
  }
  if (OUT_OF_MEMORY_CRASH.test(message)) return outcomeOfKill("memory_limit", limits);
  return failed("tool_error", message);
}

function parseReport(body: string): ErrorReport {
  const parsed = parseObject(body);
  return {
    name: text(parsed["name"], 200),
    message: text(parsed["message"], MESSAGE_CHARS) || "The tool failed without a message",
    stack: text(parsed["stack"], STACK_CHARS),
    denied: parsed["denied"] === true,
  };
}

function text(value: unknown, maxChars: number): string {
  return typeof value === "string" ? value.slice(0, maxChars) : "";
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
