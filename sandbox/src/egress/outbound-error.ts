import { EgressDeniedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";
import { upstreamFailure } from "./upstream-failure.ts";

/** A request of the service to an external server failed. The message states the host and the reason. */
export class OutboundError extends Error {
  override name = "OutboundError";
  /** Whether the network policy forbids the request, so retrying is pointless. */
  readonly isDenied: boolean;

  constructor(message: string, isDenied: boolean) {
    super(message);
    this.isDenied = isDenied;
  }
}

/** Converts an error to one whose message names the host but no IP address. */
export function explained(target: Target, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof EgressDeniedError) {
    return new OutboundError(`Requests to ${target.name} are not allowed: ${error.reason}`, true);
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new OutboundError(`${target.name} did not respond in time`, false);
  }
  return new OutboundError(upstreamFailure(target, error).message, false);
}
