import type { z } from "zod";

/** Describes what a value must be, as the predicate of a sentence, for issues without a message of their schema. */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code.startsWith("invalid_")) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return atLeast(issue);
    case "too_big":
      return atMost(issue);
    case "invalid_format":
      return formats[issue.format] ?? "is not valid";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return explainUnion(issue);
    case "unrecognized_keys":
      return undefined;
    default:
      return "is not valid";
  }
}

/** If the value has the type of one option, says what that option misses. */
function explainUnion(issueOfUnion: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { errors, options } = issueOfUnion;
  // The kinds of a union that a property discriminates.
  if (Array.isArray(options)) return `must be one of ${options.join(", ")}`;
  const near = errors.filter((issues) => issues.every(({ code }) => code !== "invalid_type"));
  const [issue, ...others] = near.length === 1 ? (near[0] ?? []) : [];
  return issue?.path.length === 0 && others.length === 0 ? issue.message : "is not valid";
}

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  null: "null",
};

const formats: Readonly<Record<string, string>> = {
  email: "must be an email address",
  url: "must be a URL",
  uuid: "must be a UUID",
  date: "must be a date such as 2026-01-31",
  datetime: "must be a time such as 2026-01-31T12:00:00Z",
};

const units: Readonly<Record<string, string>> = { string: "character", array: "item" };

function atLeast({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>) {
  const unit = units[origin];
  if (unit === undefined)
    return `must be ${inclusive === false ? "more than" : "at least"} ${minimum}`;
  return minimum === 1 ? "must not be empty" : `must have at least ${count(minimum, unit)}`;
}

function atMost({ origin, maximum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>) {
  const unit = units[origin];
  if (unit === undefined)
    return `must be ${inclusive === false ? "less than" : "at most"} ${maximum}`;
  return `must have at most ${count(maximum, unit)}`;
}

function count(limit: number | bigint, unit: string): string {
  return `${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}
