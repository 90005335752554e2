import { isJsonObject } from "#lib/json-object";

const maxDepth = 5;
const maxSchemas = 1_000;
const maxCharacters = 10_000;
const maxEnumValues = 20;
const maxExamples = 5;
const maxExampleCharacters = 100;
const maxDetails = 100;

/** The words of an input schema: property names and their descriptions. */
export type SchemaText = { names: string; descriptions: string };

type Visit = { schema: Record<string, unknown>; depth: number };

/** Collects the words of a schema, bounded in depth, schemas and characters so that no schema stalls the index. */
export function schemaText(schema: unknown): SchemaText {
  const names: string[] = [];
  const descriptions: string[] = [];
  const visits: Visit[] = [];
  const plan = (next: unknown, depth: number) => {
    if (isJsonObject(next) && depth <= maxDepth && visits.length < maxSchemas)
      visits.push({ schema: next, depth });
  };

  plan(schema, 0);
  // The loop also visits schemas pushed during iteration: breadth first, outer names first.
  for (const { schema: current, depth } of visits) {
    // The description of the root only repeats that of the tool.
    if (depth > 0) descriptions.push(...wordsAbout(current));
    for (const [name, property] of Object.entries(recordOf(current["properties"])).slice(
      0,
      maxSchemas,
    )) {
      names.push(name);
      plan(property, depth + 1);
    }
    for (const part of partsOf(current)) plan(part, depth + 1);
  }
  return { names: joined(names), descriptions: joined(descriptions) };
}

function wordsAbout(schema: Record<string, unknown>): string[] {
  const values = arrayOf(schema["enum"]).slice(0, maxEnumValues);
  const examples = arrayOf(schema["examples"]).slice(0, maxExamples).filter(isShort);
  const texts = [schema["title"], schema["description"], schema["const"], ...values, ...examples];
  return texts.filter((text) => typeof text === "string");
}

/** The short texts in a JSON value, such as an example, and nothing of long ones. */
export function detailsText(details: unknown): string {
  const texts: string[] = [];
  const visits: { value: unknown; depth: number }[] = [{ value: details, depth: 0 }];
  // Iterating also visits values pushed during iteration.
  for (const { value, depth } of visits) {
    if (texts.length >= maxDetails || visits.length > maxSchemas) break;
    if (isShort(value)) texts.push(value);
    if (typeof value !== "object" || value === null || depth > maxDepth) continue;
    for (const part of Object.values(value).slice(0, maxDetails)) {
      visits.push({ value: part, depth: depth + 1 });
    }
  }
  return joined(texts);
}

/** Schemas that describe the same value, or its items. */
function partsOf(schema: Record<string, unknown>): unknown[] {
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const schemas: unknown = schema[keyword];
    return Array.isArray(schemas) ? schemas.slice(0, maxSchemas) : [];
  });
  return [schema["items"], ...combined];
}

function joined(texts: string[]): string {
  let all = "";
  for (const text of texts) {
    if (all.length >= maxCharacters) break;
    all += `${text.slice(0, maxCharacters)}\n`;
  }
  return all;
}

function recordOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

/** Whether a value may be a name. A longer text, or one of several lines, is content that says little about the tool. */
function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxExampleCharacters && !value.includes("\n");
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
