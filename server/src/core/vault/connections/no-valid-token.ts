import { ServiceError } from "#core/kernel";

/** The error when a token has expired and cannot be renewed now. */
export function noValidToken(name: string, waitMs: number, reason?: string): ServiceError {
  const why = reason ?? "the last renewal failed recently.";
  return new ServiceError("unavailable", `No valid token for ${name}: ${why}`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
