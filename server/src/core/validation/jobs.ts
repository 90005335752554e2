import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import type { ValidateFunction } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { checkSchema } from "./check-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { toDetails } from "./error-details.ts";
import { createSecretHider } from "./hide-secrets.ts";

/** Work that may take long, as it is sent to a process that can be killed. JSON goes as text, which is quick to send. */
export type ValidationJob =
  | { kind: "definition"; schema: string; examples: string }
  | { kind: "input"; input: string }
  | { kind: "canonicalize"; text: string };

/** Why a job has no result: the data is nested too deeply for it, the process got no time, or a fault of ours. */
export type JobFailure = { failure: string };

export type InputVerdict = {
  errors: ErrorDetail[];
  /** The input without secrets as JSON; undefined where nothing is marked as secret. */
  shown?: string;
};

/** Above this many characters only the first error is told: a list for each item would not fit in memory. */
const maxSizeForAllErrors = 128 * 1024;

/** Looks for all that is wrong with a schema, and with inputs that are to fit it. */
export function checkDefinitionJob({
  schema,
  examples,
}: {
  schema: string;
  examples: string;
}): ErrorDetail[] {
  return checkParsedDefinition(JSON.parse(schema) as JsonObject, JSON.parse(examples) as unknown[]);
}

/** The same of parsed JSON. `isCounted`: the work is metered. */
export function checkParsedDefinition(
  schema: JsonObject,
  examples: readonly unknown[],
  isCounted = false,
): ErrorDetail[] {
  const errors = checkSchema(schema, isCounted);
  if (errors.length > 0 || examples.length === 0) return errors;
  const validate = compileSchema(schema, { allErrors: true, isCounted });
  return examples.flatMap((input, index) =>
    (validate(input) ? [] : toDetails(validate.errors ?? [])).map((error) => ({
      ...error,
      path: `/examples/${index}/input${error.path}`,
    })),
  );
}

/** Checks inputs against one schema, which is compiled once. */
export function createInputChecker(schema: JsonObject): (input: string) => InputVerdict {
  const hide = createSecretHider(schema);
  const compile = (allErrors: boolean): ValidateFunction =>
    compileSchema(schema, { allErrors, isCounted: false });
  let validateAll: ValidateFunction | undefined;
  let validateFirst: ValidateFunction | undefined;
  return (text) => {
    const input: unknown = JSON.parse(text);
    const validate =
      text.length > maxSizeForAllErrors
        ? (validateFirst ??= compileFirst(compile))
        : (validateAll ??= compile(true));
    const errors = validate(input) ? [] : toDetails(validate.errors ?? []);
    return hide === undefined ? { errors } : { errors, shown: JSON.stringify(hide(input)) };
  };
}

/** Code that stops at the first error is nested as deeply as there are properties, which may be too deep. */
function compileFirst(compile: (allErrors: boolean) => ValidateFunction): ValidateFunction {
  try {
    return compile(false);
  } catch (error) {
    if (error instanceof RangeError) return compile(true);
    throw error;
  }
}

/** The canonical JSON (RFC 8785) of what a text says. */
export function canonicalizeText(text: string): string {
  return canonicalize(JSON.parse(text)) ?? "";
}
