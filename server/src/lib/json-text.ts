import { isJsonObject } from "./json-object.ts";

/** Shorter values are serialized in less than a millisecond. */
const minLength = 64 * 1024;
const texts = new WeakMap<object, string>();

/**
 * Remembers the JSON text of a large value, because to serialize one again takes long. Returns the value, which must not change
 * afterwards.
 */
export function withJsonText<T>(value: T, text: string): T {
  if (isLargeJson(text) && typeof value === "object" && value !== null) texts.set(value, text);
  return value;
}

export function isLargeJson(text: string): boolean {
  return text.length >= minLength;
}

/** As `JSON.stringify`, with the remembered texts of properties. */
export function toJsonText(body: unknown): string {
  if (!isJsonObject(body) || !Object.values(body).some(isRemembered)) return JSON.stringify(body);
  const members = Object.entries(body).flatMap(([name, value]) => {
    const text = isRemembered(value) ? texts.get(value) : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(",")}}`;
}

function isRemembered(value: unknown): value is object {
  return typeof value === "object" && value !== null && texts.has(value);
}
