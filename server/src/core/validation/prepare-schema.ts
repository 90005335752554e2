import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { sha256 } from "#lib/hash";
import { isJsonObject } from "#lib/json-object";
import { compileSchema } from "./compile-schema.ts";
import { toDetails } from "./error-details.ts";
import { createSecretHider } from "./hide-secrets.ts";
import type { SecretHider } from "./hide-secrets.ts";
import { metered, TooCostlyError } from "./meter.ts";
import { anchorsOf, walkSchemas } from "./schema-walk.ts";

/** The input schema of a tool, compiled on first use. */
export type InputSchema = {
  schema: JsonObject;
  text: string;
  key: string;
  /** Compiled in this process; larger schemas are compiled in processes that can be killed. */
  isSmall: boolean;
  /** Checking an input of up to {@link maxPlainSize} characters takes well below a millisecond. */
  isTrivial: boolean;
  validateAll?: ValidateFunction;
  validateFirst?: ValidateFunction;
  hide?: SecretHider | "none";
};

const maxTextLength = 16 * 1024;
const maxObjects = 150;
/** Up to this size all errors are reported. */
export const maxPlainSize = 8 * 1024;
/** About two milliseconds. */
const maxUnits = 40_000;

/** Keywords that apply many schemas to one value, or whose cost grows faster than the input. */
const costlyKeywords = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "contains",
  "propertyNames",
  "patternProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependentRequired",
  "pattern",
  "format",
  "uniqueItems",
  "const",
];
const sizedKeywords = ["required", "properties", "enum"];
const maxTrivialNames = 50;

export function prepareSchema(schema: JsonObject): InputSchema {
  const text = JSON.stringify(schema);
  const fits = isSmall(schema, text);
  return { schema, text, key: sha256(text), isSmall: fits, isTrivial: fits && isTrivial(schema) };
}

/** Whether compiling a schema takes at most a few milliseconds, regardless of its content. */
export function isSmall(schema: JsonObject, text = JSON.stringify(schema)): boolean {
  if (text.length > maxTextLength || countObjects(schema, maxObjects) > maxObjects) return false;
  const anchors = anchorsOf(schema);
  // Schemas that are not under a schema keyword would not be counted.
  const isKnown = (reference: unknown) =>
    reference === undefined ||
    (typeof reference === "string" && /^#(?:$|\/)/.test(reference)) ||
    (typeof reference === "string" && anchors.has(reference.slice(1)));
  return [...walkSchemas(schema)].every(
    ({ schema: part, isElsewhere = false, pointer }) =>
      isKnown(part["$ref"]) &&
      isKnown(part["$dynamicRef"]) &&
      !isElsewhere &&
      (pointer === "" || !("$id" in part)),
  );
}

/** Whether checking a short input takes little longer than parsing it. */
function isTrivial(schema: JsonObject): boolean {
  return [...walkSchemas(schema)].every(
    ({ schema: part }) =>
      !costlyKeywords.some((keyword) => keyword in part) &&
      sizedKeywords.every((keyword) => Object.keys(part[keyword] ?? {}).length <= maxTrivialNames),
  );
}

/** Counts all objects in a value, up to `limit`. */
function countObjects(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count <= limit) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (isJsonObject(next)) count += 1;
    open.push(...Object.values(next));
  }
  return count;
}

/**
 * Checks an input and redacts its secrets in this process. Undefined if that is too much work, or if a large input is
 * invalid, since only the first error would be reported.
 */
export function checkHere(
  prepared: InputSchema,
  input: unknown,
  size: number,
): { errors: ErrorDetail[]; shown: unknown } | undefined {
  if (!prepared.isSmall) return undefined;
  try {
    return metered(maxUnits, () => {
      const validate = validatorFor(prepared, size);
      const isValid = validate(input);
      if (!isValid && validate !== prepared.validateAll) return undefined;
      const hide = (prepared.hide ??= createSecretHider(prepared.schema) ?? "none");
      return {
        errors: isValid ? [] : toDetails(validate.errors ?? []),
        shown: hide === "none" ? input : hide(input),
      };
    });
  } catch (error) {
    if (error instanceof TooCostlyError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function validatorFor(prepared: InputSchema, size: number): ValidateFunction {
  const { schema } = prepared;
  if (size > maxPlainSize) {
    return (prepared.validateFirst ??= compileSchema(schema, {
      allErrors: false,
      isCounted: true,
    }));
  }
  return (prepared.validateAll ??= compileSchema(schema, {
    allErrors: true,
    isCounted: true,
  }));
}
