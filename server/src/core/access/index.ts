export type { Actor, Caller, RequestOrigin } from "./caller.ts";
export type { People } from "./people.ts";
export { isRole, scopesOfRole } from "./roles.ts";
export { allowedOrigins, createPeople } from "./people.ts";
export { authenticateKey, authenticateSession, flushKeyUse } from "./authenticate.ts";
export { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
export { describeCaller } from "./describe-caller.ts";
export { findMemberships, findPerson, hasPeople } from "./workspace-store.ts";
export { isKey } from "./key-format.ts";
