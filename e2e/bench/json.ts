/** A member of a JSON object; undefined when it has none of that name, or is no object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** A member that is a text; throws when it is not. */
export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  if (typeof found === "string") return found;
  throw new Error(`No text "${name}" in ${JSON.stringify(value)}`);
}

/** A member that is a number; throws when it is not. */
export function numberField(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found === "number") return found;
  throw new Error(`No number "${name}" in ${JSON.stringify(value)}`);
}
