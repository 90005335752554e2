import { EgressDeniedError, RunEndedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

/** A request that the policy allows, as it is about to be sent. */
type ObservedRequest = { method: string; host: string; port: number };

/** Follows one request of a run. */
export type EgressObservation = {
  /** Headers to send. They replace those that the tool set. */
  headers: Readonly<Record<string, string>>;
  /** Called once, with the response's status if there was a response, and with the kind of the error if it failed. */
  end(result: { status: number | undefined; error: string | undefined }): void;
};

/** Called for each allowed request. */
export type EgressObserver = (request: ObservedRequest) => EgressObservation;

/** Reports one request to an observer, if there is one. */
export class RequestReport {
  readonly #observe: EgressObserver | undefined;
  #observation: EgressObservation | undefined;
  /** The status of the response. */
  status: number | undefined;

  constructor(observe: EgressObserver | undefined) {
    this.#observe = observe;
  }

  start(method: string, { host, port }: Target): void {
    this.#observation = this.#observe?.({ method, host, port });
  }

  /** The headers to send, as a flat list. */
  headersFrom(headers: string[]): string[] {
    const own = Object.entries(this.#observation?.headers ?? {});
    if (own.length === 0) return headers;
    const names = new Set(own.map(([name]) => name.toLowerCase()));
    const kept = headers.filter(
      (_, at) => !names.has((headers[at - (at % 2)] ?? "").toLowerCase()),
    );
    return [...kept, ...own.flat()];
  }

  end(error?: unknown): void {
    this.#observation?.end({ status: this.status, error: kindOf(error) });
    this.#observation = undefined;
  }
}

/** Nothing of the error's message. The end of the run is not an error of the host. */
function kindOf(error: unknown): string | undefined {
  if (error === undefined || error instanceof RunEndedError) return undefined;
  return error instanceof EgressDeniedError ? "egress_denied" : "upstream_error";
}
