import type { ErrorDetail, ExampleResult, JsonObject, ToolExample } from "@toolhost/contract";
import { checkExample } from "@toolhost/tool-schema";
import type { Difference } from "@toolhost/tool-schema";
import { errorMessage } from "#api/problem";
import { isObject } from "#lib/json";
import { withExampleFiles } from "#runs/example-input.ts";
import { runDraft } from "../run/run-draft.ts";
import type { DraftOutcome } from "../run/run-draft.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.results;

/** What running an example has shown. */
export type ExampleRun = {
  status: ExampleResult["status"];
  message: string;
  differences: Difference[];
  /** The output of the run, if it completed. */
  output?: JsonObject | undefined;
  /** The output to store as the snapshot that the example does not have yet. */
  snapshot?: JsonObject | undefined;
  runId?: string | undefined;
  durationMs: number;
};

/** Reads an example of a definition, which may be incomplete. */
export function readExample(example: JsonObject): ToolExample {
  const { input, output, expect, name, files } = example;
  return {
    input: isObject(input) ? input : {},
    ...(isObject(output) ? { output } : {}),
    ...(isObject(expect) ? { expect: expect as NonNullable<ToolExample["expect"]> } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(isObject(files) ? { files: files as NonNullable<ToolExample["files"]> } : {}),
  };
}

/** No example can run, because the definition has errors. That says nothing about the examples. */
export class DefinitionError extends Error {
  readonly problems: readonly ErrorDetail[];

  constructor(message: string, problems: readonly ErrorDetail[]) {
    super(message);
    this.name = "DefinitionError";
    this.problems = problems;
  }
}

/** Runs the saved draft with an example. Throws when `signal` is aborted, and a `DefinitionError`. */
export async function runExample(
  draftId: string,
  example: ToolExample,
  { fileFields, signal }: { fileFields: readonly string[]; signal: AbortSignal },
): Promise<ExampleRun> {
  const startedAt = performance.now();
  const outcome = await withExampleFiles(example.input, example.files, signal).then(
    (input) => runDraft(draftId, input, signal),
    (error: unknown): DraftOutcome => {
      signal.throwIfAborted();
      return { status: "refused", error: { code: "", message: errorMessage(error) } };
    },
  );
  const { definitionErrors = [], error } = outcome;
  if (definitionErrors.length > 0)
    throw new DefinitionError(error?.message ?? "", definitionErrors);
  const durationMs = Math.round(performance.now() - startedAt);
  return { ...judge(example, outcome, fileFields), durationMs };
}

/** Compares the end of a run with what the example expects. */
export function judge(
  example: ToolExample,
  outcome: DraftOutcome,
  fileFields: readonly string[],
): Omit<ExampleRun, "durationMs"> {
  const { runId, output, error } = outcome;
  const base = { message: "", differences: [], runId, output };
  if (outcome.status === "refused") {
    const { expect } = example;
    // A rejected input has no run.
    if (expect?.type === "failure" && expect.code === error?.code)
      return { ...base, status: "passed" };
    const reason = skipReason(example, error?.code, fileFields);
    return reason === undefined
      ? { ...base, status: "failed", message: error?.message ?? "" }
      : { ...base, status: "skipped", message: reason };
  }
  const verdict = checkExample(example, outcome);
  const { isPassed, message, differences, snapshot } = verdict;
  return { ...base, status: isPassed ? "passed" : "failed", message, differences, snapshot };
}

/** Why an example cannot run here although the tool may be right. */
function skipReason(
  { input }: ToolExample,
  code: string | undefined,
  fileFields: readonly string[],
): string | undefined {
  if (code === "credentials_missing") return messages.missingCredentials;
  const hasFile = fileFields.some((name) => Object.hasOwn(input, name));
  return code === "invalid_input" && hasFile ? messages.missingFile : undefined;
}

const maxMessageLength = 300;

/** The result as the service stores it: without values of the output, only where it differs. */
export function toResult(
  { status, differences, durationMs, runId, ...run }: ExampleRun,
  example: number,
): ExampleResult {
  const paths = differences.map(({ path }) => path);
  const message = run.message === "" && paths.length > 0 ? messages.differs(paths) : run.message;
  return {
    example,
    status,
    durationMs,
    ...(runId === undefined ? {} : { runId }),
    ...(message === "" ? {} : { message: message.slice(0, maxMessageLength).toWellFormed() }),
  };
}

/** Stored results by the index of their example. */
export function fromResults(
  results: readonly ExampleResult[],
): readonly (ExampleRun | undefined)[] {
  const runs: (ExampleRun | undefined)[] = [];
  for (const { example, status, message = "", durationMs = 0, runId } of results)
    runs[example] = { status, message, differences: [], durationMs, runId };
  return Array.from(runs);
}
