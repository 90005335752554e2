import { isObject, numberAt, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { RunState } from "../run/run-state.ts";
import type { ToolResult } from "./host.ts";
import * as messages from "./messages.ts";

/** What a result says of a run: how far it is, and of which tool. */
export type ReadResult = {
  state: RunState;
  toolName: string | undefined;
  toolUrl: string | undefined;
  /** How long to wait before the next look at a run that goes on. */
  pollAfterMs: number;
};

const minPollMs = 1_000;

/** Reads the result of `service_execute_tool` or `service_check_run`; from text alone where a host gives no more. */
export function readResult(result: ToolResult): ReadResult {
  const { isError, structuredContent, _meta: meta } = result;
  const text = textOf(result);
  const failure = isObject(meta) ? own(meta, "toolhost/failure") : undefined;
  const details = isObject(failure) ? failure : {};
  if (isError === true) {
    return { ...about(details), state: readFailure(details, text) };
  }
  const run = isObject(structuredContent) ? structuredContent : parse(text);
  if (run === undefined || typeof run["status"] !== "string") {
    const output: JsonObject = run ?? { result: text };
    return { ...about({}), state: { status: "completed", output } };
  }
  return { ...about(run), state: readRun(run) };
}

function about(run: JsonObject): Omit<ReadResult, "state"> {
  return {
    toolName: textAt(run, "toolName"),
    toolUrl: textAt(run, "toolUrl"),
    pollAfterMs: Math.max(minPollMs, numberAt(run, "pollAfterMs") ?? 3_000),
  };
}

function readRun(run: JsonObject): RunState {
  const { status, output, progress } = run;
  const runId = textAt(run, "runId");
  if (status === "running") {
    const fraction = isObject(progress) ? numberAt(progress, "fraction") : undefined;
    const message = isObject(progress) ? textAt(progress, "message") : undefined;
    return {
      status: "running",
      runId,
      isQueued: run["queued"] === true,
      progress:
        fraction === undefined
          ? undefined
          : { fraction, ...(message === undefined ? {} : { message }) },
    };
  }
  if (status === "cancelled") return { status: "cancelled", runId };
  if (status === "failed") return readFailure(run, messages.toolFailed);
  return {
    status: "completed",
    runId,
    output: isObject(output) ? output : {},
    durationMs: numberAt(run, "durationMs"),
  };
}

/** A failure by its details; what has none is shown in the words that the agent got. */
function readFailure(details: JsonObject, text: string): RunState {
  const runId = textAt(details, "runId");
  const { status, error } = details;
  if (status === "cancelled") return { status, runId };
  const missing = objectsAt(details, "missing").flatMap((one) => {
    const [name, connectUrl] = [textAt(one, "name"), textAt(one, "connectUrl")];
    const reason = textAt(one, "reason");
    return name === undefined || connectUrl === undefined ? [] : [{ name, reason, connectUrl }];
  });
  if (missing.length > 0) {
    return { status: "missing", missing, message: messages.accessMissing };
  }
  if (isObject(error)) {
    const message = textAt(error, "message") ?? text;
    const [code, stack] = [textAt(error, "code"), textAt(error, "stack")];
    const log = objectsAt(details, "log").map((line) => ({
      at: textAt(line, "at") ?? "",
      level: textAt(line, "level") ?? "",
      message: textAt(line, "message") ?? "",
    }));
    return { status: "failed", runId, message, code, stack, log };
  }
  const errors = objectsAt(details, "errors").map((one) => ({
    path: textAt(one, "path") ?? "",
    message: textAt(one, "message") ?? messages.invalidValue,
  }));
  if (errors.length > 0) return { status: "refused", message: messages.invalidInput, errors };
  return { status: "refused", message: text === "" ? messages.noReason : text };
}

function textOf({ content }: ToolResult): string {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map((part) => textAt(part, "text") ?? "").join("\n");
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
