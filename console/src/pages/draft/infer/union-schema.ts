import type { JsonObject } from "@toolhost/contract";

type Json = JsonObject[string];

/** Combines schemas into one that accepts any of them: an enum for constants, otherwise `anyOf`. */
export function unionSchema(branches: readonly JsonObject[]): JsonObject {
  const others = branches.filter(({ type }) => type !== "null");
  const isNullable = others.length < branches.length;
  const [first] = others;
  if (first === undefined) return isNullable ? { type: "null" } : {};
  const plain = combineConstants(others);
  const [only] = plain;
  if (plain.length > 1 || only === undefined)
    return { anyOf: [...plain, ...(isNullable ? [{ type: "null" }] : [])] };
  if (!isNullable) return only;
  const { type, enum: values } = only;
  if (typeof type !== "string") return { anyOf: [only, { type: "null" }] };
  return {
    ...only,
    type: [type, "null"],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

/** Combines constants of one type into an enum, and both booleans into the type. */
function combineConstants(branches: readonly JsonObject[]): JsonObject[] {
  const values = new Map<string, Json[]>();
  const rest: JsonObject[] = [];
  for (const branch of branches) {
    const { type } = branch;
    const listed = Array.isArray(branch["enum"]) ? branch["enum"] : undefined;
    const found = Object.hasOwn(branch, "const") ? [branch["const"] ?? null] : listed;
    if (typeof type !== "string" || found === undefined) rest.push(branch);
    else values.set(type, [...(values.get(type) ?? []), ...found]);
  }
  const lists = Array.from(values, ([type, all]): JsonObject => {
    if (type === "boolean" && all.length > 1) return { type };
    return { type, enum: all };
  });
  return [...rest, ...lists];
}
