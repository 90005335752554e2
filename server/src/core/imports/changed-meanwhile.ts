import { ServiceError } from "#core/kernel";

/** The problem of an item whose hash is not the one that the caller reviewed. */
export const changedSinceReview = "It was changed again after you reviewed it. Review it again.";

/** The error when an import was changed after it was read. */
export function changedMeanwhile(): ServiceError {
  return new ServiceError("unavailable", "The import was changed at the same time. Retry.", {
    retryAfterSeconds: 1,
  });
}
