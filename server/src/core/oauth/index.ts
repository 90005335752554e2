export type { AuthorizationServer, Refusal } from "./authorization-server.ts";
export type { Chooser, ConsentRequest, Exchange } from "./consent.ts";
export { authenticateToken } from "./authenticate-token.ts";
export { ClientMetadataError, normalizeClientMetadata } from "./client-metadata.ts";
export { disconnectApp, endGrant, flushGrantUse, listConnectedApps } from "./connected-apps.ts";
export { allowApp, declineApp, findChooser, findConsentRequest } from "./consent.ts";
export { createClientDocuments } from "./client-documents.ts";
export { createAuthorizationServer } from "./authorization-server.ts";
export {
  allClientScopes,
  clientScopes,
  describeResource,
  mcpPaths,
  resourceMetadataPath,
} from "./resources.ts";
export { removeExpiredRecords } from "./remove-expired.ts";
