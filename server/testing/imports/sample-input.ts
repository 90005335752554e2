import type { CreateToolInput } from "@toolhost/contract";
import { sampleFileId, sampleInput } from "@toolhost/tool-schema";
import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

const maxOptional = 3;
/** Texts of which one matches most patterns of identifiers. */
const candidates = [
  "1",
  "123456789012345678",
  "ab-cd",
  "a",
  "AB",
  "+15551234567",
  "#ffffff",
  "0.1",
  "2026-01-01",
];

/** An input of required fields and some optional ones, with special characters. */
export function inputFor(definition: CreateToolInput, fileId: string): JsonObject {
  const { inputSchema, fileFields } = definition;
  const properties = isObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const required = Array.isArray(inputSchema["required"]) ? inputSchema["required"] : [];
  const optional = Object.entries(properties)
    .filter(([name, schema]) => !required.includes(name) && isPlain(schema))
    .map(([name]) => name)
    .slice(0, maxOptional);
  const wanted = { ...inputSchema, required: [...required, ...optional] };
  const sample = sampleInput({ inputSchema: wanted, fileFields, examples: [] });
  const filled = Object.entries(sample).flatMap(([name, value]) => {
    const found = fill(properties[name] ?? {}, value, fileId);
    return found === undefined && optional.includes(name) ? [] : [[name, found ?? value]];
  });
  return Object.fromEntries(filled) as JsonObject;
}

function isPlain(schema: Json): boolean {
  return (
    isObject(schema) && ["string", "integer", "boolean"].includes(textAt(schema, "type") ?? "")
  );
}

/** Undefined if no text for the pattern is known. */
function fill(schema: Json, value: Json, fileId: string): Json | undefined {
  if (value === sampleFileId) return fileId;
  if (Array.isArray(value)) return value.map((item) => (item === sampleFileId ? fileId : item));
  if (!isObject(schema) || typeof value !== "string") return value;
  const pattern = textAt(schema, "pattern");
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return matching(pattern);
  const [choice] = objectsAt(schema, "anyOf").flatMap((one) => own(one, "const") ?? []);
  if (choice !== undefined) return choice;
  const isFree = ["enum", "const", "anyOf", "$ref", "format", "default", "maxLength"].every(
    (name) => !Object.hasOwn(schema, name),
  );
  return pattern === undefined && isFree ? `${value} /&?=ü` : value;
}

function matching(pattern: string): string | undefined {
  const identifier = /^\^\(?([A-Z]{2})[|A-Z]*\)?\[0-9a-fA-F\]\{32\}\$$/.exec(pattern);
  if (identifier !== null) return `${identifier[1]}${"0123456789abcdef".repeat(2)}`;
  return candidates.find((text) => new RegExp(pattern, "u").test(text));
}
