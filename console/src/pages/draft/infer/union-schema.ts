import type { JsonObject } from "@toolhost/contract";

type Json = JsonObject[string];

/** The schema of what may be any of these: a list of values where all are values, else each as it is. */
export function unionSchema(branches: readonly JsonObject[]): JsonObject {
  const others = branches.filter(({ type }) => type !== "null");
  const isNullable = others.length < branches.length;
  const [first] = others;
  if (first === undefined) return isNullable ? { type: "null" } : {};
  const plain = joined(others);
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

/** Values of one type become one list, and both booleans the type. */
function joined(branches: readonly JsonObject[]): JsonObject[] {
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
