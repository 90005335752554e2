import type { JsonObject } from "@toolhost/contract";
import type { Reading, Symbol } from "./compiler.ts";

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

/** What the comment above a member adds to its schema: the words, and tags such as `@default 3` or `@minimum 1`. */
export function describeSymbol(
  { ts, checker }: Reading,
  member: Symbol,
  schema: JsonObject,
): JsonObject {
  const words = ts.displayPartsToString(member.getDocumentationComment(checker)).trim();
  const added: JsonObject = words === "" ? {} : { description: words };
  for (const { name, text } of member.getJsDocTags(checker)) {
    const said = ts.displayPartsToString(text ?? []).trim();
    if (numberTags.has(name) && Number.isFinite(Number(said))) added[name] = Number(said);
    else if (textTags.has(name) && said !== "") added[name] = said;
    else if (name === "default") added["default"] = valueOf(said);
    else if (name === "integer" && schema["type"] === "number") added["type"] = "integer";
    else if (name === "deprecated") added["deprecated"] = true;
  }
  return added;
}

/** JSON where it is JSON, else the text itself. */
function valueOf(said: string): JsonObject[string] {
  try {
    return JSON.parse(said) as JsonObject[string];
  } catch {
    return said.replaceAll(/^['"`]|['"`]$/g, "");
  }
}
