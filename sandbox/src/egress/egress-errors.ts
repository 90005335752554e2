/** A request that may not leave. Its message is for the tool and names the host and the reason. */
export class EgressDeniedError extends Error {
  override name = "EgressDeniedError";
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`egress_denied: this tool may not reach ${host}: ${reason}`);
    this.reason = reason;
  }
}

/** Why a credential, or its value, does not go to a host, and what changes that. */
export function credentialNotAllowed(name: string): string {
  return `the credential ${name} is not for this host. Add the host to the hosts of the credential, and to those that the tool declares for it`;
}

/** The run for which a request was made is over. */
export class RunEndedError extends Error {
  override name = "RunEndedError";

  constructor() {
    super("egress_denied: the run that asks for this is over");
  }
}

/** A request that was let out and failed there. Its message is for the tool. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
}
