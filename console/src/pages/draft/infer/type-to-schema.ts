import type { JsonObject } from "@toolhost/contract";
import type { Reading, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";
import { unionSchema } from "./union-schema.ts";
import { readObject } from "./object-schema.ts";
import { is, note } from "./walk.ts";
import type { Walk } from "./walk.ts";

const deepest = 16;
const maxParts = 2_000;

/** The JSON Schema of a type. What JSON cannot hold, or the type leaves open, is noted. */
export function schemaOf(
  reading: Reading,
  notes: Inference["notes"],
  type: Type,
  place: string,
): JsonObject {
  const defs = new Map<string, JsonObject>();
  const walk = { ...reading, notes, parts: 0, open: new Set<Type>(), named: new Map(), defs, read };
  const schema = read(walk, type, place, 0);
  if (defs.size === 0) return schema;
  // The type itself holds itself: the schema begins with its members all the same.
  const label = [...defs.keys()].find((name) => schema["$ref"] === `#/$defs/${name}`);
  const root = label === undefined ? schema : (defs.get(label) ?? schema);
  return { ...root, $defs: Object.fromEntries(defs) };
}

function read(walk: Walk, type: Type, place: string, depth: number): JsonObject {
  const { TypeFlags } = walk.ts;
  walk.parts += 1;
  if (depth > deepest || walk.parts > maxParts)
    return note(walk, place, "The type is too deep. What is below may be anything.");
  if (is(type, TypeFlags.Unknown)) return {};
  if (is(type, TypeFlags.Any)) return note(walk, place, "Its type is any, so it may be anything.");
  const value = readValue(walk, type);
  if (value !== undefined) return value;
  const nothing = TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never;
  if (type.isUnion()) {
    const kept = (type.types ?? []).filter((one) => !is(one, nothing));
    return unionSchema(kept.map((one) => read(walk, one, place, depth + 1)));
  }
  if (is(type, TypeFlags.BigIntLike | TypeFlags.ESSymbolLike))
    return note(walk, place, `JSON has no ${walk.checker.typeToString(type)}.`);
  if (is(type, nothing)) return note(walk, place, "It is nothing, which JSON cannot hold.");
  const text = type.types?.find((one) => is(one, TypeFlags.StringLike | TypeFlags.NumberLike));
  // A text with a mark, as `string & { brand: "id" }`.
  if (type.isIntersection() && text !== undefined) return read(walk, text, place, depth + 1);
  return readObject(walk, type, place, depth);
}

/** The schema of what is no object; undefined for what is, and for unions of several kinds. */
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
