import type { Caller, RequestOrigin } from "#core/kernel";

/** Who comes without a key: somebody who may do nothing, in no workspace. */
export function nobody(origin: RequestOrigin): Caller {
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
