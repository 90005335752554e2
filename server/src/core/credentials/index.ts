export { connectCredential } from "./connect-credential.ts";
export { createCredential, deleteCredential, listCredentials } from "./credentials.ts";
export type { RunCredentials } from "./run-credentials.ts";
export { findMissingCredentials, flushCredentialUse, openCredentials } from "./run-credentials.ts";
