import type { JsonObject } from "@toolhost/contract";
import type { ReadContext, Symbol } from "./compiler.ts";

const numberTags = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);
const textTags = new Set(["format", "pattern", "title"]);

/** Reads schema keywords from the comment of a property: the description, and tags such as `@default 3` or `@minimum 1`. */
export function describeSymbol(
  { ts, checker }: ReadContext,
  member: Symbol,
  schema: JsonObject,
): JsonObject {
  const description = ts.displayPartsToString(member.getDocumentationComment(checker)).trim();
  const added: JsonObject = description === "" ? {} : { description };
  for (const { name, text } of member.getJsDocTags(checker)) {
    const value = ts.displayPartsToString(text ?? []).trim();
    if (numberTags.has(name) && Number.isFinite(Number(value))) added[name] = Number(value);
    else if (textTags.has(name) && value !== "") added[name] = value;
    else if (name === "default") added["default"] = valueOf(value);
    else if (name === "integer" && schema["type"] === "number") added["type"] = "integer";
    else if (name === "deprecated") added["deprecated"] = true;
  }
  return added;
}

/** Parses JSON, or returns the text itself. */
function valueOf(value: string): JsonObject[string] {
  try {
    return JSON.parse(value) as JsonObject[string];
  } catch {
    return value.replaceAll(/^['"`]|['"`]$/g, "");
  }
}
