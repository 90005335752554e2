export { createCredential, deleteCredential, listCredentials } from "./credentials.ts";
