import type { JsonObject } from "@toolhost/contract";
import type { ReadContext, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";
import { unionSchema } from "./union-schema.ts";
import { messages } from "./messages.ts";
import { readObject } from "./object-schema.ts";
import { is, note } from "./walk.ts";
import type { Walk } from "./walk.ts";

const maxDepth = 16;
const maxParts = 2_000;

/** Converts a type to JSON Schema. Adds a note for what JSON cannot represent or the type leaves open. */
export function schemaOf(
  context: ReadContext,
  notes: Inference["notes"],
  type: Type,
  path: string,
): JsonObject {
  const defs = new Map<string, JsonObject>();
  const walk = { ...context, notes, parts: 0, open: new Set<Type>(), named: new Map(), defs, read };
  const schema = read(walk, type, path, 0);
  if (defs.size === 0) return schema;
  // A recursive root type still starts with its own properties, so its definition is inlined.
  const label = [...defs.keys()].find((name) => schema["$ref"] === `#/$defs/${name}`);
  const root = label === undefined ? schema : (defs.get(label) ?? schema);
  return { ...root, $defs: Object.fromEntries(defs) };
}

function read(walk: Walk, type: Type, path: string, depth: number): JsonObject {
  const { TypeFlags } = walk.ts;
  walk.parts += 1;
  if (depth > maxDepth || walk.parts > maxParts) return note(walk, path, messages.tooDeep);
  if (is(type, TypeFlags.Unknown)) return {};
  if (is(type, TypeFlags.Any)) return note(walk, path, messages.any);
  const value = readValue(walk, type);
  if (value !== undefined) return value;
  const nothing = TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never;
  if (type.isUnion()) {
    const branches = (type.types ?? []).filter((one) => !is(one, nothing));
    return unionSchema(branches.map((one) => read(walk, one, path, depth + 1)));
  }
  if (is(type, TypeFlags.BigIntLike | TypeFlags.ESSymbolLike))
    return note(walk, path, messages.notJson(walk.checker.typeToString(type)));
  if (is(type, nothing)) return note(walk, path, messages.undefinedValue);
  const text = type.types?.find((one) => is(one, TypeFlags.StringLike | TypeFlags.NumberLike));
  // A branded string or number, such as `string & { brand: "id" }`.
  if (type.isIntersection() && text !== undefined) return read(walk, text, path, depth + 1);
  return readObject(walk, type, path, depth);
}

/** Reads primitive types; undefined for objects and for unions of several types. */
function readValue({ ts, checker }: Walk, type: Type): JsonObject | undefined {
  const { TypeFlags } = ts;
  if (is(type, TypeFlags.Null)) return { type: "null" };
  if (is(type, TypeFlags.StringLiteral)) return { type: "string", const: String(type.value) };
  if (is(type, TypeFlags.NumberLiteral)) return { type: "number", const: Number(type.value) };
  if (is(type, TypeFlags.BooleanLiteral) && !type.isUnion())
    return { type: "boolean", const: checker.typeToString(type) === "true" };
  if (is(type, TypeFlags.BooleanLike)) return { type: "boolean" };
  if (type.isUnion()) return undefined;
  if (is(type, TypeFlags.StringLike)) return { type: "string" };
  return is(type, TypeFlags.NumberLike) ? { type: "number" } : undefined;
}
