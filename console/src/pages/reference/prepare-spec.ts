type Json = Record<string, unknown>;

/**
 * The service's description as the page shows it: calls go to where the page came from, signed in by the session, and the
 * Idempotency-Key need not be filled in, for each call gets a new one.
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
    withoutProblem(asObject(one)),
  );
  const parameters = operation["parameters"];
  if (!Array.isArray(parameters)) return { ...rest, responses };
  return { ...rest, responses, parameters: parameters.map((one) => loosenKey(asObject(one))) };
}

/** All refusals have the same body. Shown with each of them, it would be most of the page. */
function withoutProblem(response: Json): Json {
  const { content, ...rest } = response;
  return content === undefined || "application/problem+json" in asObject(content) ? rest : response;
}

function loosenKey(parameter: Json): Json {
  if (parameter["name"] !== "Idempotency-Key") return parameter;
  return {
    ...parameter,
    required: false,
    description: "A new UUID v4 for each request. Left empty here, one is made.",
  };
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
