import type { ErrorObject } from "ajv/dist/2020.js";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { pointerParts, positionIn } from "#lib/json-position";
import { spend } from "./meter.ts";
import { escapePointer } from "./schema-walk.ts";

export const maxErrors = 100;
const maxShownValues = 20;
const maxShownLength = 1_000;
/** Finding positions in a larger schema takes too long. */
const maxPositionLength = 64 * 1024;

/** Converts errors of ajv. */
export function toDetails(errors: readonly ErrorObject[]): ErrorDetail[] {
  return (
    errors
      // The errors of `then` and `else` already explain it.
      .filter(({ keyword }) => keyword !== "if")
      .slice(0, maxErrors)
      .map((error) => toDetail(error))
  );
}

function toDetail(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params } = error;
  const below = (name: unknown) => `${instancePath}/${escapePointer(String(name))}`;
  if (keyword === "required")
    return { path: below(params["missingProperty"]), message: "is required" };
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
    return { path: below(name), message: "is not a field of this tool" };
  }
  return { path: instancePath, message: toWords(error) };
}

/** The message of an error; for `enum` and `const` with the allowed values. */
export function toWords({ keyword, params, message }: ErrorObject): string {
  if (keyword === "enum") return `must be one of ${list(params["allowedValues"])}`;
  if (keyword === "const") return `must be ${shortened(params["allowedValue"])}`;
  return (message ?? "is not valid").slice(0, maxShownLength);
}

function list(values: unknown): string {
  const all: unknown[] = Array.isArray(values) ? values : [];
  const shown = shortened(all.slice(0, maxShownValues));
  const rest = all.length - maxShownValues;
  return rest > 0 ? `${shown} or ${rest} other values` : shown;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  spend(text.length / 8);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

/** A problem in a schema, with line and column unless the schema is too long. */
export function problemAt(schema: JsonObject, pointer: string, message: string): ErrorDetail {
  const problem = { path: `/inputSchema${pointer}`, message, file: "inputSchema.json" };
  if (JSON.stringify(schema).length > maxPositionLength) return { path: problem.path, message };
  return { ...problem, ...positionIn(schema, pointerParts(pointer)) };
}
