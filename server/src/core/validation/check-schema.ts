import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv/dist/2020.js";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { messageOf } from "#lib/message-of";
import { compileSchema } from "./compile-schema.ts";
import { maxErrors, problemAt, toWords } from "./error-details.ts";
import { TooCostlyError } from "./meter.ts";
import { escapePointer } from "./schema-walk.ts";

const draft = "https://json-schema.org/draft/2020-12/schema";

/** Created once, since compiling the meta-schema takes 30 ms. */
const metaAjv = new Ajv2020({ strict: false, logger: false, allErrors: true });

/**
 * Validates a schema as JSON Schema 2020-12. Lines and columns refer to the schema formatted with two spaces. Takes time
 * that may grow faster than the size of the schema.
 */
export function checkSchema(schema: JsonObject, isCounted = false): ErrorDetail[] {
  if ("$schema" in schema && schema["$schema"] !== draft) {
    return [problemAt(schema, "/$schema", `must be "${draft}" or omitted`)];
  }
  if (schema["type"] !== "object") {
    return [problemAt(schema, "/type", 'must be "object": a tool\'s input is an object')];
  }
  const checkMeta = metaAjv.getSchema(draft);
  if (checkMeta !== undefined && checkMeta(schema) !== true) {
    return withoutAlternatives(checkMeta.errors ?? [])
      .slice(0, maxErrors)
      .map((error) => problemAt(schema, error.instancePath, toWords(error)));
  }
  try {
    compileSchema(schema, { allErrors: true, isCounted })({});
    return [];
  } catch (error) {
    if (error instanceof TooCostlyError) throw error;
    if (error instanceof RangeError) {
      return [problemAt(schema, "", "is too large or nested too deeply to be compiled")];
    }
    const message = messageOf(error);
    return [problemAt(schema, pointerOfReference(schema, message), message)];
  }
}

/** For a value that may be an enum or an array of it, retains only the helpful error: at the item, or for the enum. */
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const places = errors.map(({ instancePath }) => instancePath);
  const open = new Set(
    errors.filter(({ keyword }) => keyword === "anyOf").map((error) => error.instancePath),
  );
  return errors.filter(({ instancePath, keyword }) => {
    if (!open.has(instancePath)) return true;
    return keyword === "enum" && !places.some((place) => place.startsWith(`${instancePath}/`));
  });
}

/** Pointer to the reference or pattern that an error message quotes, or to the root. */
function pointerOfReference(schema: JsonObject, message: string): string {
  const visit = (value: unknown, pointer: string): string | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    for (const [name, member] of Object.entries(value)) {
      const place = `${pointer}/${escapePointer(name)}`;
      const isQuoted = typeof member === "string" && member !== "" && message.includes(member);
      if (isQuoted && (name === "$ref" || name === "$dynamicRef" || name === "pattern"))
        return place;
      const found = visit(member, place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return visit(schema, "") ?? "";
}
