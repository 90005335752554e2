export { removeOldAttempts } from "./connections/begin-attempt.ts";
export { comeBack } from "./connections/come-back.ts";
export { settleConnections } from "./connections/freshen.ts";
export type { Offer } from "./connections/go-to-provider.ts";
export {
  connectAddress,
  cookieSuffixOf,
  goToProvider,
  offerAttempt,
  offerConnection,
} from "./connections/go-to-provider.ts";
export { planRevocation } from "./connections/revoke.ts";
export type { Visit } from "./connections/visitor.ts";
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
export { replaceCredential } from "./credentials/replace-credential.ts";
export type { HeldCredential, RunCredentials } from "./credentials/run-credentials.ts";
export { findRunCredentials, openCredentials } from "./credentials/run-credentials.ts";
export { followKey, openRootSecret } from "./encryption/root-secret.ts";
export type { Rotation } from "./encryption/rotate-keys.ts";
export { RotationError, rotateKeys } from "./encryption/rotate-keys.ts";
