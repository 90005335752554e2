import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { spend } from "./meter.ts";
import { createMatcher } from "./pattern.ts";
import type { Matcher } from "./pattern.ts";
import { anchorsOf, resolveReference } from "./schema-walk.ts";

/** Replaces secrets in recorded inputs. */
export const hidden = "[redacted]";

/** Redacts the secrets of an input. Returns an empty object for an input that is nested too deeply. Throws `TooCostlyError`. */
export type SecretHider = (input: unknown) => unknown;

/**
 * Redacts values marked with `writeOnly: true` or `format: "password"`. In doubt, such as for an alternative that the input
 * does not match, the value is redacted. Undefined for a schema without marks.
 */
export function createSecretHider(schema: JsonObject): SecretHider | undefined {
  if (!someWithin(schema, isMarked)) return undefined;
  const anchors = anchorsOf(schema);
  const matchers = new Map<string, Matcher>();
  const look: Look = {
    up: (reference) => resolveReference(schema, anchors, reference),
    matches: (pattern, name) => {
      const matcher = matchers.get(pattern) ?? createMatcher(pattern);
      matchers.set(pattern, matcher);
      return matcher.test(name);
    },
  };
  return (input) => {
    try {
      const shown = hide(input, [schema], look);
      return typeof shown === "object" ? shown : {};
    } catch (error) {
      if (error instanceof RangeError) return {};
      throw error;
    }
  };
}

type Part = Record<string, unknown>;
type Look = {
  up: (reference: string) => unknown;
  matches: (pattern: string, name: string) => boolean;
};

function isMarked(part: Part): boolean {
  return part["writeOnly"] === true || part["format"] === "password";
}

function hide(value: unknown, schemas: readonly unknown[], look: Look): unknown {
  const parts = applying(schemas, look);
  if (parts === undefined || parts.some(isMarked)) return hidden;
  if (parts.length === 0) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      hide(
        item,
        parts.flatMap((part) => ofItem(part, index)),
        look,
      ),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      hide(
        item,
        parts.flatMap((part) => ofProperty(part, name, look)),
        look,
      ),
    ]),
  );
}

/** Keywords whose subschemas apply to the same value. */
const inPlace = ["allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas"];

/** All schemas that may apply to a value; undefined if a reference cannot be resolved. */
function applying(schemas: readonly unknown[], look: Look): Part[] | undefined {
  const found = new Set<Part>();
  const open = [...schemas];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    // Measured: one schema takes about ten units.
    spend(10);
    for (const keyword of inPlace) {
      const below = schema[keyword];
      if (Array.isArray(below)) open.push(...(below as unknown[]));
      else if (keyword === "dependentSchemas") open.push(...Object.values(below ?? {}));
      else open.push(below);
    }
    for (const reference of [schema["$ref"], schema["$dynamicRef"]]) {
      if (typeof reference !== "string") continue;
      const target = look.up(reference);
      if (target === undefined) return undefined;
      open.push(target);
    }
  }
  return [...found];
}

function ofItem(part: Part, index: number): unknown[] {
  const prefix = Array.isArray(part["prefixItems"]) ? (part["prefixItems"] as unknown[]) : [];
  const own = index < prefix.length ? prefix[index] : part["items"];
  return [own, part["contains"], part["unevaluatedItems"]];
}

function ofProperty(part: Part, name: string, look: Look): unknown[] {
  const properties = part["properties"];
  const isNamed = isJsonObject(properties) && Object.hasOwn(properties, name);
  const patterns = Object.entries(part["patternProperties"] ?? {}).filter(([pattern]) =>
    look.matches(pattern, name),
  );
  const isKnown = isNamed || patterns.length > 0;
  return [
    ...(isNamed ? [properties[name]] : []),
    ...patterns.map(([, schema]) => schema as unknown),
    ...(isKnown ? [] : [part["additionalProperties"]]),
    part["unevaluatedProperties"],
  ];
}

/** Whether any object within a schema satisfies a predicate. */
function someWithin(value: unknown, isMatch: (part: Part) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => someWithin(item, isMatch));
  if (!isJsonObject(value)) return false;
  return isMatch(value) || Object.values(value).some((item) => someWithin(item, isMatch));
}
