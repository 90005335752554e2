export { allowedOrigins } from "./access/allowed-origins.ts";
export { hasSignIns } from "./access/account-events.ts";
export { sessionCookieOf } from "./access/cookie-names.ts";
export { createApiKey, listApiKeys, revokeApiKey } from "./access/api-keys.ts";
export { authenticateChatUser, findRole } from "./access/authenticate-chat-user.ts";
export { authenticateKey, authenticatePerson, authenticateSession } from "./access/authenticate.ts";
export { expectCaller } from "./access/expected-caller.ts";
export { getMe } from "./access/get-me.ts";
export type { OpenInvitation } from "./access/invitation-store.ts";
export { findOpenInvitation } from "./access/invitation-store.ts";
export { isKey } from "./access/key-format.ts";
export { toAuthTimestamp } from "./access/auth-timestamp.ts";
export { createPeople } from "./access/people.ts";
export { requireScope } from "./access/require-scope.ts";
export {
  capMembers,
  capOwnedWorkspaces,
  findMemberships,
  findPerson,
  hasPeople,
  insertMember,
  insertWorkspace,
  takeInvitation,
} from "./access/workspace-store.ts";
export type { IdentityContext } from "./context.ts";
export { authenticateToken } from "./oauth/authenticate-token.ts";
export type { Refusal } from "./oauth/refusal.ts";
export { createAuthorizationServer } from "./oauth/authorization-server.ts";
export { createClientDocuments } from "./oauth/client-documents.ts";
export { ClientMetadataError, normalizeClientMetadata } from "./oauth/client-metadata.ts";
export { disconnectApp, endGrant, listConnectedApps } from "./oauth/connected-apps.ts";
export type { Chooser, ConsentRequest, Exchange } from "./oauth/consent.ts";
export { allowApp, declineApp, findChooser, findConsentRequest } from "./oauth/consent.ts";
export { removeExpiredRecords } from "./oauth/remove-expired.ts";
export {
  allClientScopes,
  describeResources,
  findResource,
  mcpPaths,
  mcpScopes,
  resourceMetadataPath,
} from "./oauth/resources.ts";
export { handleAuthRequest } from "./sign-in/handle-auth-request.ts";
