import type { JsonObject } from "@toolhost/tool-schema/json";
import { objectAt } from "./open-document.ts";
import type { Field, OperationPlan } from "./plan.ts";
import type { SecurityScheme } from "./types.ts";

/** The plan without the parameters that a chosen API key is sent as: callers must not replace the credential. */
export function omitCredentialFields(
  plan: OperationPlan,
  authentication: readonly Pick<SecurityScheme, "apiKey">[],
): OperationPlan {
  const isCredential = ({ place, wireName }: Field) =>
    authentication.some(
      ({ apiKey }) =>
        apiKey?.in === place &&
        (place === "header"
          ? apiKey.name.toLowerCase() === wireName.toLowerCase()
          : apiKey.name === wireName),
    );
  const names = new Set(plan.fields.filter(isCredential).map(({ name }) => name));
  if (names.size === 0) return plan;
  const without = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
  const { required } = plan.inputSchema;
  return {
    ...plan,
    fields: plan.fields.filter((field) => !isCredential(field)),
    inputSchema: {
      ...plan.inputSchema,
      properties: without(objectAt(plan.inputSchema, "properties")),
      ...(Array.isArray(required)
        ? { required: required.filter((name) => typeof name === "string" && !names.has(name)) }
        : {}),
    },
    example: plan.example && without(plan.example),
  };
}
