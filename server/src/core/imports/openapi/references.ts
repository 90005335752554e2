import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

/** An operation cannot become a tool. The message is a sentence that says why. */
export class UnusableError extends Error {
  override name = "UnusableError";
}

const maxShown = 100;

/** The names on the path to the target of a reference. Throws `UnusableError` for references to other documents. */
export function toSegments(reference: string): string[] | undefined {
  if (!reference.startsWith("#")) {
    const shown = reference.slice(0, maxShown).toWellFormed();
    throw new UnusableError(
      `It refers to another document, "${shown}". Bundle the documents into one and import that.`,
    );
  }
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .map((segment) => decode(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The value at a path of own members; undefined if there is none. */
export function valueAt(root: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of segments) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = (value as JsonObject)[segment];
  }
  return value;
}

/** An object that contains only the value, at the path. */
export function wrapAt(segments: readonly string[], value: Json): Json {
  return segments.reduceRight<Json>((inner, segment) => ({ [segment]: inner }), value);
}

/** The text of `$ref`, if the value is a reference. */
export function referenceOf(value: unknown): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "$ref")) return undefined;
  const { $ref: reference } = value;
  return typeof reference === "string" ? reference : undefined;
}
