export { addAddress, exposeAddress } from "./add-address.ts";
export { connectCredential } from "./connect-credential.ts";
export type { CredentialState } from "./credential-states.ts";
export { findConnectAddresses, findCredentialStates } from "./credential-states.ts";
export { createCredential, deleteCredential, listCredentials } from "./credentials.ts";
export { replaceCredential } from "./replace-credential.ts";
export type { HeldCredential, RunCredentials } from "./run-credentials.ts";
export type { Lack } from "./released-credentials.ts";
export { flushCredentialUse, lookForCredentials, openCredentials } from "./run-credentials.ts";
