import { ServiceError } from "#core/kernel";

/** The error when an import was changed after it was read. */
export function changedMeanwhile(): ServiceError {
  return new ServiceError("unavailable", "The import was changed at the same time. Retry.", {
    retryAfterSeconds: 1,
  });
}
