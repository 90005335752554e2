import type { JsonObject } from "@toolhost/contract";
import { tooDeep } from "./messages.ts";

export type { JsonObject } from "@toolhost/contract";

/** Any value of JSON. */
export type Json = JsonObject[string];

/** Whether it is an object of JSON, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that the object itself has. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member if it is text. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  return typeof value === "string" ? value : undefined;
}

/** The member if it is a number. */
export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = own(object, name);
  return typeof value === "number" ? value : undefined;
}

/** The members of an array of objects; empty for anything else. */
export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = own(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** An object with these members, even where one is called `__proto__`. */
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

/** Whether two values are the same JSON, whatever the order of members. */
export function isSame(one: Json, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index] ?? null) && index in other)
    );
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSame(one[name] ?? null, other[name] ?? null),
    )
  );
}

/** As text for people; whatever cannot be written, such as a tree beyond all depth, is said to be so. */
export function toText(value: Json, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return tooDeep;
  }
}
