import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName } from "@toolhost/tool-schema/secrets";
import { exampleOf } from "./values.ts";

const maxDepth = 12;
const maxProperties = 200;

type Options = { name?: string; withExamples: boolean };

/** A schema that accepts a sample and values like it. With `withExamples`, it has scalars that are no secrets. */
export function inferSchema(sample: Json, options: Options, depth = 0): JsonObject {
  if (depth > maxDepth || sample === null) return {};
  if (Array.isArray(sample)) {
    const [first] = sample;
    return {
      type: "array",
      items: first === undefined ? {} : inferSchema(first, options, depth + 1),
    };
  }
  if (isObject(sample)) return inferObject(sample, options, depth);
  return inferScalar(sample, options);
}

function inferObject(sample: JsonObject, options: Options, depth: number): JsonObject {
  const { name = "" } = options;
  // All members of a secret are secrets, whatever their names.
  const isSecret = isSecretName(name);
  const properties = Object.entries(sample)
    .filter(([key]) => key !== "__proto__")
    .slice(0, maxProperties)
    .map(([key, value]) => [
      key,
      inferSchema(value, { ...options, name: isSecret ? name : key }, depth + 1),
    ]);
  return { type: "object", properties: Object.fromEntries(properties) as JsonObject };
}

function inferScalar(
  sample: string | number | boolean,
  { name = "", withExamples }: Options,
): JsonObject {
  const type = typeof sample;
  if (!withExamples) return { type };
  const isSecret = type !== "boolean" && isSecretName(name, sample);
  return {
    type,
    ...(isSecret ? { ...(type === "string" ? { format: "password" } : {}), writeOnly: true } : {}),
    ...exampleOf(name, sample),
  };
}

/** One schema for what several requests send: the properties of all objects, or any value. */
export function mergeSchemas(first: JsonObject, second: JsonObject, depth = 0): JsonObject {
  const types = [own(first, "type"), own(second, "type")];
  if (types[0] === undefined || types[1] === undefined)
    return types[0] === undefined ? second : first;
  if (types[0] !== types[1] || depth > maxDepth) return {};
  if (types[0] === "array") {
    const [one, other] = [own(first, "items"), own(second, "items")];
    return {
      ...first,
      items: mergeSchemas(isObject(one) ? one : {}, isObject(other) ? other : {}, depth + 1),
    };
  }
  if (types[0] !== "object") return first;
  const merged = new Map<string, Json>();
  for (const schema of [first, second]) {
    const properties = own(schema, "properties");
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      const known = merged.get(name);
      const both = isObject(known) && isObject(property);
      merged.set(name, both ? mergeSchemas(known, property, depth + 1) : property);
    }
  }
  return { ...first, properties: Object.fromEntries(merged) };
}
