/**
 * Answers a run's requests to one host without the network. The signal aborts when the run ends or no longer waits
 * for the response. If it throws, the tool sees a failed fetch without the cause. workerd ends a response stream that
 * fails as if it were complete, so the two sides must agree on a marker where the difference matters.
 */
export type InternalService = (request: Request, signal: AbortSignal) => Promise<Response>;

/** Services by host, such as `files.internal`, which tools reach by plain HTTP. */
export type InternalServices = Readonly<Record<string, InternalService>>;
