export { authorizeConnection } from "./connections/authorize-connection.ts";
export { clientDocument, clientDocumentPath } from "./connections/client-document.ts";
export { drainConnections } from "./connections/freshen.ts";
export { completeConnection } from "./connections/oauth-callback.ts";
export type { Offer } from "./connections/offer-connection.ts";
export { connectAddress, offerAttempt, offerConnection } from "./connections/offer-connection.ts";
export { reportRefusal } from "./connections/report-refusal.ts";
export { planRevocation } from "./connections/revoke.ts";
export type { VaultContext } from "./context.ts";
export { createVaultState } from "./context.ts";
export { addAddress, exposeAddress } from "./credentials/add-address.ts";
export type { CredentialConsent, CredentialGap } from "./credentials/approve-with-changes.ts";
export { approveWithChanges, findCredentialGaps } from "./credentials/approve-with-changes.ts";
export { connectCredential } from "./credentials/connect-credential.ts";
export type { CredentialState } from "./credentials/credential-states.ts";
export { findConnectAddresses, findCredentialStates } from "./credentials/credential-states.ts";
export { createCredential, deleteCredential, listCredentials } from "./credentials/credentials.ts";
export type { UnavailableCredential } from "./credentials/released-credentials.ts";
export { usesSharedCredential } from "./credentials/released-credentials.ts";
export { replaceCredential } from "./credentials/replace-credential.ts";
export type {
  FoundCredentials,
  HeldCredential,
  RunCredentials,
} from "./credentials/run-credentials.ts";
export { findRunCredentials, openCredentials } from "./credentials/run-credentials.ts";
export type { UsableCredential } from "./credentials/use-credential.ts";
export { declareBearer, useCredential } from "./credentials/use-credential.ts";
export type { KeyCheck } from "./encryption/check-keys.ts";
export { checkKeys } from "./encryption/check-keys.ts";
export { findRequiredKeyId, followKey, openRootSecret } from "./encryption/root-secret.ts";
export type { Rotation } from "./encryption/rotate-keys.ts";
export { rotateKeys } from "./encryption/rotate-keys.ts";
