import type { ExampleExpectation, ToolExample } from "@toolhost/contract";
import { checkValue } from "./check-value.ts";
import { findDifferences } from "./compare-output.ts";
import type { Difference } from "./compare-output.ts";
import { isObject, own, toText } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { matchesPattern } from "./match-pattern.ts";
import * as messages from "./messages.ts";

/** What a run ended with. */
export type ExampleOutcome = {
  status: string;
  output?: JsonObject | undefined;
  error?: { code: string; message: string } | undefined;
};

/** Whether a run is as its example expects, and how it differs. */
export type ExampleVerdict = {
  isPassed: boolean;
  /** Why it failed; empty if the differences say it. */
  message: string;
  differences: Difference[];
  /** The output to store in the example, whose expectation is a snapshot that it does not have yet. */
  snapshot?: JsonObject;
};

/** Patterns are bounded in time, so longer texts are matched than in forms. */
const maxTextLength = 100_000;

/**
 * Compares the end of a run with what the example expects. Without an expectation, it must complete with everything that the
 * example's output has.
 */
export function checkExample(
  { output: expected, expect = { type: "subset" } }: Pick<ToolExample, "output" | "expect">,
  outcome: ExampleOutcome,
): ExampleVerdict {
  const { status, output, error } = outcome;
  if (expect.type === "failure") return checkFailure(expect.code, outcome);
  if (status !== "completed" || output === undefined)
    return failed(messages.notCompleted(status, error));
  if (expect.type === "schema") return checkOutputSchema(expect.schema, output);
  if (expect.type === "pattern") return checkPattern(expect, output);
  if (expected === undefined)
    return expect.type === "snapshot" ? { ...passed, snapshot: output } : passed;
  return compared(findDifferences(expected, output, { isPartial: expect.type === "subset" }));
}

const passed: ExampleVerdict = { isPassed: true, message: "", differences: [] };

const failed = (message: string): ExampleVerdict => ({ isPassed: false, message, differences: [] });

function compared(differences: Difference[]): ExampleVerdict {
  return { isPassed: differences.length === 0, message: "", differences };
}

function checkFailure(code: string, { status, error }: ExampleOutcome): ExampleVerdict {
  if (status === "failed" && error?.code === code) return passed;
  return failed(messages.expectedFailure(code, status, error));
}

function checkOutputSchema(schema: JsonObject, output: JsonObject): ExampleVerdict {
  const unknown = findUnsupported(schema);
  if (unknown !== undefined) return failed(messages.unsupportedKeyword(unknown));
  const problems = checkValue(schema, schema, output);
  if (problems.length === 0) return passed;
  const lines = problems
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? "" : `/${path.join("/")}: `}${message}`);
  return failed(lines.join(" "));
}

/** Keywords that `checkValue` checks, with what each contains, and those that check nothing. */
const schemaKeywords: Readonly<Record<string, "value" | "schema" | "schemas" | "named">> = {
  ...Object.fromEntries(
    [
      "$schema $id $comment title description default examples deprecated readOnly writeOnly format",
      "type enum const minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum",
      "multipleOf minItems maxItems required",
    ]
      .join(" ")
      .split(" ")
      .map((name) => [name, "value" as const]),
  ),
  items: "schema",
  additionalProperties: "schema",
  prefixItems: "schemas",
  properties: "named",
};

const maxSchemaDepth = 40;

/** The first keyword that `checkValue` might skip: an expectation must not pass because of it. */
function findUnsupported(schema: Json | undefined, depth = 0): string | undefined {
  if (!isObject(schema)) return undefined;
  if (depth > maxSchemaDepth) return "properties";
  for (const [name, value] of Object.entries(schema)) {
    const kind = Object.hasOwn(schemaKeywords, name) ? schemaKeywords[name] : undefined;
    if (kind === undefined) return name;
    const inner =
      kind === "value"
        ? []
        : kind === "schema"
          ? [value]
          : kind === "schemas"
            ? Array.isArray(value)
              ? value
              : []
            : isObject(value)
              ? Object.values(value)
              : [];
    for (const one of inner) {
      const found = findUnsupported(one, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Why no text can be matched with a pattern; undefined if the pattern can be used. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RegExp(pattern, "u");
  } catch {
    return messages.invalidPattern(pattern);
  }
  return matchesPattern(pattern, "") === undefined ? messages.slowPattern(pattern) : undefined;
}

function checkPattern(
  { path, pattern }: Extract<ExampleExpectation, { type: "pattern" }>,
  output: JsonObject,
): ExampleVerdict {
  const value = valueAt(output, path);
  if (value === undefined) return failed(messages.noValue(path));
  const text = typeof value === "string" ? value : toText(value, 0);
  const isMatch = matchesPattern(pattern, text, maxTextLength);
  if (isMatch === true) return passed;
  return failed(
    isMatch === undefined
      ? (patternProblem(pattern) ?? messages.slowPattern(pattern))
      : messages.noMatch(path, pattern, text.slice(0, 100)),
  );
}

/** The value at a JSON Pointer (RFC 6901). */
function valueAt(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = /^\d+$/.test(name) ? found[Number(name)] : undefined;
    else found = isObject(found) ? own(found, name) : undefined;
  }
  return found;
}
