import { isObject, numberAt, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { RunState } from "../run/run-state.ts";
import type { ToolResult } from "./host.ts";
import * as messages from "./messages.ts";

/** The state of a run and its tool, as in a tool result. */
export type ParsedResult = {
  state: RunState;
  toolName: string | undefined;
  toolUrl: string | undefined;
  /** How long to wait before polling a run that is still running. */
  pollAfterMs: number;
};

const minPollMs = 1_000;

/** Parses the result of `service_execute_tool` or `service_check_run`. Some hosts provide only its text. */
export function parseResult(result: ToolResult): ParsedResult {
  const { isError, structuredContent, _meta: meta } = result;
  const text = textOf(result);
  const failure = isObject(meta) ? own(meta, "toolhost/failure") : undefined;
  const details = isObject(failure) ? failure : {};
  if (isError === true) {
    return { ...metadataOf(details), state: parseFailure(details, text) };
  }
  const run = isObject(structuredContent) ? structuredContent : parseJson(text);
  if (run === undefined || typeof run["status"] !== "string") {
    const output: JsonObject = run ?? { result: text };
    return { ...metadataOf({}), state: { status: "completed", output } };
  }
  return { ...metadataOf(run), state: parseRun(run) };
}

function metadataOf(run: JsonObject): Omit<ParsedResult, "state"> {
  return {
    toolName: textAt(run, "toolName"),
    toolUrl: textAt(run, "toolUrl"),
    pollAfterMs: Math.max(minPollMs, numberAt(run, "pollAfterMs") ?? 3_000),
  };
}

function parseRun(run: JsonObject): RunState {
  const { status, output, progress, question } = run;
  const runId = textAt(run, "runId");
  if (status === "running") {
    const fraction = isObject(progress) ? numberAt(progress, "fraction") : undefined;
    const message = isObject(progress) ? textAt(progress, "message") : undefined;
    return {
      status: "running",
      runId,
      isQueued: run["queued"] === true,
      note: isObject(question) ? textAt(question, "message") : undefined,
      progress:
        fraction === undefined
          ? undefined
          : { fraction, ...(message === undefined ? {} : { message }) },
    };
  }
  if (status === "cancelled") return { status: "cancelled", runId };
  if (status === "failed") return parseFailure(run, messages.toolFailed);
  return {
    status: "completed",
    runId,
    output: isObject(output) ? output : {},
    ...(Array.isArray(run["shortened"]) ? { isShortened: true } : {}),
    durationMs: numberAt(run, "durationMs"),
  };
}

/** Parses the details of a failure. Without details, the text for the agent is shown. */
function parseFailure(details: JsonObject, text: string): RunState {
  const runId = textAt(details, "runId");
  const { status, error } = details;
  if (status === "cancelled") return { status, runId };
  const missing = objectsAt(details, "missing").flatMap((credential) => {
    const [name, connectUrl] = [textAt(credential, "name"), textAt(credential, "connectUrl")];
    const reason = textAt(credential, "reason");
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
  const errors = objectsAt(details, "errors").map((problem) => ({
    path: textAt(problem, "path") ?? "",
    message: textAt(problem, "message") ?? messages.invalidValue,
  }));
  if (errors.length > 0) return { status: "refused", message: messages.invalidInput, errors };
  return { status: "refused", message: text === "" ? messages.noReason : text };
}

function textOf({ content }: ToolResult): string {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map((part) => textAt(part, "text") ?? "").join("\n");
}

function parseJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
