import type { JsonObject } from "@toolhost/contract";
import { definitionLabels } from "./definition-messages.ts";
import { isObject, prettyJson } from "./json.ts";
import type { Json } from "./json.ts";
import { ownValue } from "./own-value.ts";

const labels: Readonly<Record<string, string>> = definitionLabels;

/** The name of a part of a definition. */
export function labelOf(field: string): string {
  return ownValue(labels, field) ?? field;
}

/** Formats a value for a line-by-line comparison: lists and flat objects have a line for each entry. */
export function toLines(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(toLine).join("\n");
  const isFlat = isObject(value) && Object.values(value).every((one) => typeof one !== "object");
  if (!isFlat) return prettyJson(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${toLine(one)}`)
    .join("\n");
}

function toLine(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The parts of a tool's definition as text for a line-by-line comparison, the code first; empty when the source is hidden.
 */
export function partsOf(definition: JsonObject): Map<string, string> {
  const { visibility: _, source, ...rest } = definition;
  if (!isObject(source)) return new Map();
  const { code = "", language = "", dependencies = {} } = source;
  const parts = { code, ...rest, dependencies, language };
  return new Map(Object.entries(parts).map(([name, value]) => [labelOf(name), toLines(value)]));
}
