import { ServiceError } from "#core/kernel";

/** The token of a connection has ended, and there is no new one for now. */
export function notNow(name: string, waitMs: number, reason?: string): ServiceError {
  const why = reason ?? "the provider could not be asked a moment ago.";
  return new ServiceError("unavailable", `There is no valid token for ${name}: ${why}`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
