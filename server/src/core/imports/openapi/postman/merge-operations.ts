import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { mergeSchemas } from "./infer-schema.ts";
import { listOf } from "./values.ts";

const maxDescription = 2_000;

/** One operation for two requests of the same method and path, which collections have for different cases. */
export function mergeOperations(first: JsonObject, second: JsonObject): JsonObject {
  const parameters = new Map<string, JsonObject>();
  for (const parameter of [...listOf(first["parameters"]), ...listOf(second["parameters"])]) {
    const key = `${textAt(parameter, "in")} ${textAt(parameter, "name")}`;
    if (!parameters.has(key)) parameters.set(key, parameter);
  }
  const bodies = [contentOf(first, "requestBody"), contentOf(second, "requestBody")];
  const content = mergeContent(bodies[0], bodies[1]);
  const description = textAt(first, "description") ?? "";
  const also = textAt(second, "summary") ?? "";
  const isNew = also !== "" && also !== textAt(first, "summary") && !description.includes(also);
  return {
    ...first,
    parameters: [...parameters.values()],
    description:
      isNew && description.length < maxDescription
        ? `${description}${description === "" ? "" : "\n\n"}Also: ${also}.`
        : description,
    ...(Object.keys(content).length === 0 ? {} : { requestBody: { content } }),
    responses:
      Object.keys(isObject(first["responses"]) ? first["responses"] : {}).length === 0
        ? (second["responses"] ?? {})
        : (first["responses"] ?? {}),
  };
}

function contentOf(operation: JsonObject, name: string): JsonObject {
  const holder = own(operation, name);
  const content = isObject(holder) ? own(holder, "content") : undefined;
  return isObject(content) ? content : {};
}

function mergeContent(first: JsonObject = {}, second: JsonObject = {}): JsonObject {
  const merged = new Map<string, Json>(Object.entries(first));
  for (const [type, media] of Object.entries(second)) {
    const known = merged.get(type);
    const schemas = [known, media].map((one) => (isObject(one) ? own(one, "schema") : undefined));
    const [one, other] = schemas;
    const both = isObject(one) && isObject(other);
    merged.set(type, both ? { schema: mergeSchemas(one, other) } : (known ?? media));
  }
  return Object.fromEntries(merged);
}
