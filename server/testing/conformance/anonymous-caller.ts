import type { Caller, RequestOrigin } from "#core/kernel";

/** The caller of a request without a key: no scopes, and a workspace that does not exist. */
export function anonymousCaller(origin: RequestOrigin): Caller {
  return {
    userId: "conformance",
    workspaceId: "conformance",
    role: "viewer",
    scopes: new Set(),
    actor: { userId: null },
    via: "mcp",
    ...origin,
  };
}
