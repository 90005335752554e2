import type { JsonObject } from "@toolhost/contract";
import { tooDeep } from "./messages.ts";

export type { JsonObject } from "@toolhost/contract";

/** Any JSON value. */
export type Json = JsonObject[string];

/** Whether the value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of the object; nothing is taken from its prototype. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member if it is a string. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  return typeof value === "string" ? value : undefined;
}

/** The member if it is a number. */
export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = own(object, name);
  return typeof value === "number" ? value : undefined;
}

/** The objects of a member that is an array; empty for anything else. */
export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = own(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Builds an object from entries. An entry named `__proto__` becomes an ordinary member. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return object;
}

/** Whether two values are equal JSON. The order of members does not matter. */
export function isSame(first: Json, second: Json): boolean {
  if (Array.isArray(first) && Array.isArray(second)) {
    return (
      first.length === second.length &&
      first.every((item, index) => isSame(item, second[index] ?? null) && index in second)
    );
  }
  if (!isObject(first) || !isObject(second)) return first === second;
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length &&
    names.every(
      (name) => Object.hasOwn(second, name) && isSame(first[name] ?? null, second[name] ?? null),
    )
  );
}

/** Formats a value as JSON text. Nesting too deep for the engine gives a placeholder instead of an error. */
export function toText(value: Json, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return tooDeep;
  }
}
