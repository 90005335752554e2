/** A request that is not allowed. The message is for the tool and states the host and the reason. */
export class EgressDeniedError extends Error {
  override name = "EgressDeniedError";
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`egress_denied: the request to ${host} was blocked: ${reason}`);
    this.reason = reason;
  }
}

/** Why a credential may not be sent to a host, and how to allow it. */
export function credentialNotAllowed(name: string): string {
  return `the credential ${name} is not allowed for this host. Add the host to the credential's hosts, and to the hosts that the tool declares for it`;
}

/** The run that sent the request has ended. */
export class RunEndedError extends Error {
  override name = "RunEndedError";

  constructor() {
    super("egress_denied: the run has ended");
  }
}

/** A request that was allowed but failed. The message is for the tool. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
}
