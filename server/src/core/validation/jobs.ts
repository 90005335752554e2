import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import type { ValidateFunction } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { checkSchema } from "./check-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { toDetails } from "./error-details.ts";
import { createSecretHider } from "./hide-secrets.ts";

/** Work for a process that can be killed. JSON is sent as text, which is faster than structured cloning. */
export type ValidationJob =
  | { kind: "definition"; schema: string; examples: string }
  | { kind: "input"; input: string }
  | { kind: "canonicalize"; text: string };

/** Why a job has no result: data nested too deeply, a timeout, or an internal error. */
export type JobFailure = { failure: string };

export type InputVerdict = {
  errors: ErrorDetail[];
  /** The input without secrets as JSON; undefined if the schema marks no secrets. */
  shown?: string;
};

/** Above this length only the first error is reported, since a list for each item may not fit in memory. */
const maxSizeForAllErrors = 128 * 1024;

/** Validates a schema, and examples against it. */
export function checkDefinitionJob({
  schema,
  examples,
}: {
  schema: string;
  examples: string;
}): ErrorDetail[] {
  return checkParsedDefinition(JSON.parse(schema) as JsonObject, JSON.parse(examples) as unknown[]);
}

/** The same for parsed JSON. `isCounted`: the work is metered. */
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

/** Creates a checker of inputs that compiles the schema once. */
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

/** Code that stops at the first error is nested as deeply as the number of properties, which may be too deep. */
function compileFirst(compile: (allErrors: boolean) => ValidateFunction): ValidateFunction {
  try {
    return compile(false);
  } catch (error) {
    if (error instanceof RangeError) return compile(true);
    throw error;
  }
}

/** The canonical form (RFC 8785) of a JSON text. */
export function canonicalizeText(text: string): string {
  return canonicalize(JSON.parse(text)) ?? "";
}
