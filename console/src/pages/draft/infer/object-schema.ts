import type { JsonObject } from "@toolhost/contract";
import type { Symbol, Type } from "./compiler.ts";
import { describeSymbol } from "./js-doc.ts";
import { messages } from "./messages.ts";
import { is, note } from "./walk.ts";
import type { Walk } from "./walk.ts";

/** Classes that JSON cannot represent, and what to use instead. */
const replacements: Readonly<Record<string, string>> = messages.replacements;

/** Reads a list, a tuple or an object. A recursive type gets a name in `$defs`. */
export function readObject(walk: Walk, type: Type, path: string, depth: number): JsonObject {
  const { checker, open, named, defs } = walk;
  if (checker.isTupleType(type)) return readTuple(walk, type, path, depth);
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type);
    const items = item === undefined ? {} : walk.read(walk, item, `${path}[]`, depth + 1);
    return { type: "array", items };
  }
  const name = type.symbol?.name ?? "";
  const instead = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
  if (instead !== undefined) return note(walk, path, messages.useInstead(name, instead));
  if (type.getCallSignatures().length > 0) return note(walk, path, messages.noFunctions);
  if (open.has(type)) {
    const label = named.get(type) ?? uniqueName(walk, type);
    named.set(type, label);
    return { $ref: `#/$defs/${label}` };
  }
  open.add(type);
  const schema = readMembers(walk, type, path, depth);
  open.delete(type);
  const label = named.get(type);
  if (label === undefined) return schema;
  defs.set(label, schema);
  return { $ref: `#/$defs/${label}` };
}

function readTuple(walk: Walk, type: Type, path: string, depth: number): JsonObject {
  const items = walk.checker.getTypeArguments(type);
  const isOpen = type.target?.hasRestElement === true;
  const fixed = isOpen ? items.slice(0, -1) : items;
  const rest = isOpen ? items.at(-1) : undefined;
  return {
    type: "array",
    prefixItems: fixed.map((one, at) => walk.read(walk, one, `${path}[${at}]`, depth + 1)),
    minItems: type.target?.minLength ?? fixed.length,
    items: rest === undefined ? false : walk.read(walk, rest, `${path}[]`, depth + 1),
  };
}

function readMembers(walk: Walk, type: Type, path: string, depth: number): JsonObject {
  const { checker, file } = walk;
  const members = checker.getPropertiesOfType(type).map((member) => {
    const memberType = checker.getTypeOfSymbolAtLocation(member, file);
    const below = walk.read(walk, memberType, `${path}.${member.name}`, depth + 1);
    const schema = { ...below, ...describeSymbol(walk, member, below) };
    return { name: member.name, isOptional: isOptional(walk, member, memberType), schema };
  });
  const [index] = checker.getIndexInfosOfType(type);
  const required = members.filter((one) => !one.isOptional).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties:
      index === undefined ? false : walk.read(walk, index.type, `${path}.*`, depth + 1),
  };
}

function isOptional({ ts }: Walk, member: Symbol, type: Type): boolean {
  if ((member.flags & ts.SymbolFlags.Optional) !== 0) return true;
  const types = type.isUnion() ? (type.types ?? []) : [type];
  return types.some((one) => is(one, ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}

function uniqueName({ named }: Walk, type: Type): string {
  const given = (type.aliasSymbol ?? type.symbol)?.name ?? "";
  const plain = /^\w+$/.test(given) && !given.startsWith("__") ? given : "Part";
  const taken = new Set(named.values());
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain}${count}`;
  return name;
}
