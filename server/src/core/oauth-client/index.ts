export { createAttempt, deleteExpiredAttempts, openAttempt, unknownAttempt } from "./attempt.ts";
export type { AttemptRow } from "./attempt-store.ts";
export type { AuthorizationRedirect } from "./authorization.ts";
export { cookieSuffixOf, startAuthorization } from "./authorization.ts";
export { consumeAttempt, openCallback, validateCallback } from "./callback.ts";
export type { Callback } from "./callback.ts";
export { plainCode, ProviderError, toProviderError, toServiceError } from "./provider-error.ts";
export type { Visit } from "./attempt.ts";
