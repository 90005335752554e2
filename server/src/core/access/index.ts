export type { Actor, Caller, RequestOrigin } from "./caller.ts";
export { credentialOf, noWorkspace } from "./caller.ts";
export type { People } from "./people.ts";
export type { Right } from "./roles.ts";
export { isRole, mayDo, mayManage, scopesOfRole } from "./roles.ts";
export { recordAccountEvent } from "./account-events.ts";
export { allowedOrigins } from "./allowed-origins.ts";
export { libraryTime } from "./library-time.ts";
export { createPeople } from "./people.ts";
export { clientAddressHeader, requestIdHeader } from "./request-marks.ts";
export {
  authenticateKey,
  authenticatePerson,
  authenticateSession,
  flushKeyUse,
} from "./authenticate.ts";
export { authenticateChatUser } from "./authenticate-chat-user.ts";
export { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
export { describeCaller } from "./describe-caller.ts";
export { isKey } from "./key-format.ts";
export type { OpenInvitation } from "./invitation-store.ts";
export { findOpenInvitation } from "./invitation-store.ts";
export {
  findMemberships,
  findPerson,
  findPersonByEmail,
  hasPeople,
  capMembers,
  capOwnedWorkspaces,
  insertMember,
  insertWorkspace,
  takeInvitation,
} from "./workspace-store.ts";
export { requireScope } from "./require-scope.ts";
