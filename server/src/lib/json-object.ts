type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };

/** Whether a JSON value is an object and not an array. For other values, it only narrows the type to an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
