import { messages } from "./messages.ts";

type Json = Record<string, unknown>;

/**
 * Adapts the OpenAPI document to the page: requests go to the page's origin with the session cookie, and the Idempotency-Key
 * is optional, because the page generates one for each request.
 */
export function prepareSpec(spec: Json, origin: string): Json {
  const { security: _, ...rest } = spec;
  const { securitySchemes: __, ...components } = asObject(spec["components"]);
  return {
    ...rest,
    servers: [{ url: `${origin}/api/v1` }],
    components,
    paths: mapValues(asObject(spec["paths"]), (path) =>
      mapValues(asObject(path), (operation) => prepareOperation(asObject(operation))),
    ),
  };
}

function prepareOperation(operation: Json): Json {
  const { security: _, ...rest } = operation;
  const responses = mapValues(asObject(operation["responses"]), (one) =>
    withoutErrorBody(asObject(one)),
  );
  const parameters = operation["parameters"];
  if (!Array.isArray(parameters)) return { ...rest, responses };
  return {
    ...rest,
    responses,
    parameters: parameters.map((one) => makeKeyOptional(asObject(one))),
  };
}

/** Removes the body of errors. It is always the same and would fill most of the page. */
function withoutErrorBody(response: Json): Json {
  const { content, ...rest } = response;
  return content === undefined || "application/problem+json" in asObject(content) ? rest : response;
}

function makeKeyOptional(parameter: Json): Json {
  if (parameter["name"] !== "Idempotency-Key") return parameter;
  return {
    ...parameter,
    required: false,
    description: messages.idempotencyKey,
  };
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
