/** A request that may not leave. Its message is for the tool and names the host and the reason. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`egress_denied: this tool may not reach ${host}: ${reason}`);
    this.reason = reason;
  }
}

/** The run for which a request was made is over. */
export class RunOverError extends Error {
  override name = "RunOverError";

  constructor() {
    super("egress_denied: the run that asks for this is over");
  }
}

/** A request that was let out and failed there. Its message is for the tool. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
}
