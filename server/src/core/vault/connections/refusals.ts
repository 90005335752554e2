import { ServiceError } from "#core/kernel";
import type { ProviderError } from "./provider-error.ts";

/** A provider's failure in the words of the wire. */
export function toRefusal({ failure, message }: ProviderError): ServiceError {
  return failure === "unreachable"
    ? new ServiceError("unavailable", message, { retryAfterSeconds: 5 })
    : new ServiceError("connection_failed", message);
}

/** The token of a connection has ended, and there is no new one for now. */
export function notNow(name: string, waitMs: number, reason?: string): ServiceError {
  const why = reason ?? "the provider could not be asked a moment ago.";
  return new ServiceError("unavailable", `There is no valid token for ${name}: ${why}`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
