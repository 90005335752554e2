/** A member of a JSON object. Undefined if it does not exist or the value is not an object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** A string member. Throws if it is not a string. */
export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  if (typeof found === "string") return found;
  throw new Error(`No text "${name}" in ${JSON.stringify(value)}`);
}

/** A number member. Throws if it is not a number. */
export function numberField(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found === "number") return found;
  throw new Error(`No number "${name}" in ${JSON.stringify(value)}`);
}
