import { EgressDeniedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";
import { upstreamFailure } from "./upstream-failure.ts";

/** A request of ours to somebody else's server did not come to an answer. Names the host and the reason. */
export class OutboundError extends Error {
  override name = "OutboundError";
  /** Our own rules forbid it, so that trying again changes nothing. */
  readonly isDenied: boolean;

  constructor(message: string, isDenied: boolean) {
    super(message);
    this.isDenied = isDenied;
  }
}

/** What went wrong, in words that name the host and no address. */
export function explained(target: Target, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof EgressDeniedError) {
    return new OutboundError(`${target.name} may not be asked: ${error.reason}`, true);
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new OutboundError(`${target.name} did not answer in time`, false);
  }
  return new OutboundError(upstreamFailure(target, error).message, false);
}
