/** How the message of a denial starts, by which a tool's code can recognize it. */
export const DENIAL_PREFIX = "egress_denied: ";

/** A request that is not allowed. The message is for the tool and states the host and the reason. */
export class EgressDeniedError extends Error {
  override name = "EgressDeniedError";
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`${DENIAL_PREFIX}the request to ${host} was denied: ${reason}`);
    this.reason = reason;
  }
}

/** The run that sent the request has ended. */
export class RunEndedError extends Error {
  override name = "RunEndedError";

  constructor() {
    super(`${DENIAL_PREFIX}the run has ended`);
  }
}

/** A request that was allowed but failed. The message is for the tool. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  /** Whether nothing of the request was sent, so that it can be repeated. False if that is unknown. */
  readonly isUnsent: boolean;

  constructor(message: string, { cause, isUnsent }: { cause?: unknown; isUnsent: boolean }) {
    super(message, { cause });
    this.isUnsent = isUnsent;
  }
}
