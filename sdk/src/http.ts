import { backoffMs, delay } from "./delay.ts";
import { ApiError, ConnectionError, isApiError, readApiError, ToolhostError } from "./errors.ts";
import { createUrl } from "./url.ts";
import type { FetchResponse } from "./fetch.ts";
import type { Settings } from "./options.ts";
import { newUuid } from "./uuid.ts";
import type { SilenceLimit } from "./watch-silence.ts";

/** Options of every call. */
export type CallOptions = {
  /** Ends the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** A UUID v4 that identifies the write. Set it to repeat a write of an earlier process; by default, each call has a new one. */
  idempotencyKey?: string | undefined;
  /** Additional headers. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** A request of any route. `client.ts` knows the types of each. */
export type AnyRequest = CallOptions & {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  /** JSON, or bytes. */
  body?: unknown;
  /** How long the service was asked to wait, in addition to the timeout of an attempt. */
  waitMs?: number | undefined;
};

/** Sends a request to a route, with retries, and reads its response. Reading is part of each attempt. */
export type Http = <T>(route: string, request: AnyRequest, read: Read<T>) => Promise<T>;

/** The limit is for a body that is read after the attempt. */
type Read<T> = (response: FetchResponse, limit: SilenceLimit) => Promise<T> | T;

const maxRetryAfterMs = 60_000;

/** Creates the function that sends all requests of a client. */
export function createHttp(settings: Settings): Http {
  return async (route, request, read) => {
    const [method = "", path = ""] = route.split(" ");
    const url = createUrl(settings.baseUrl, path, request);
    const init = createInit(settings, method, request);
    const timeoutMs = settings.requestTimeoutMs + (request.waitMs ?? 0);
    return withRetries(settings, { signal: request.signal, timeoutMs }, async (authorization) => {
      const headers = { ...init.headers, ...authorization };
      return attempt(
        settings,
        url,
        { ...init, headers },
        { signal: request.signal, timeoutMs, read },
      );
    });
  };
}

type Init = { method: string; headers: Record<string, string>; body?: string | Blob };

function createInit({ headers }: Settings, method: string, request: AnyRequest): Init {
  const { body, idempotencyKey = newUuid() } = request;
  const isBytes = body instanceof Blob;
  return {
    method,
    headers: {
      accept: "application/json",
      ...headers,
      ...(method === "GET" ? {} : { "idempotency-key": idempotencyKey }),
      ...(body === undefined || isBytes ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
  };
}

/** Repeats an attempt while it fails in a way that a retry can fix. All attempts of a write have the same key, so it happens once. */
async function withRetries<T>(
  { apiKey, maxRetries }: Settings,
  { signal, timeoutMs }: Omit<Attempt<T>, "read">,
  send: (authorization: Record<string, string>) => Promise<T>,
): Promise<T> {
  let key = await apiKey?.(undefined);
  let isRenewed = false;
  let inFlightSince: number | undefined;
  for (let failures = 0; ;) {
    signal?.throwIfAborted();
    try {
      return await send(key === undefined ? {} : { authorization: `Bearer ${key}` });
    } catch (error) {
      if (isApiError(error, "unauthenticated") && !isRenewed) {
        const renewed = await apiKey?.(key);
        if (renewed === undefined || renewed === key) throw error;
        [key, isRenewed] = [renewed, true];
        continue;
      }
      const pauseMs = pauseBeforeRetry(error, failures);
      if (pauseMs === undefined) throw error;
      if (isApiError(error, "idempotency_in_flight")) {
        // The first request cannot take longer than an attempt.
        inFlightSince ??= Date.now();
        if (Date.now() - inFlightSince >= timeoutMs) throw error;
      } else if (failures >= maxRetries) throw error;
      else failures += 1;
      await delay(pauseMs, signal);
    }
  }
}

const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/** How long to wait before the next attempt, or undefined if it would fail in the same way. */
function pauseBeforeRetry(error: unknown, failures: number): number | undefined {
  if (error instanceof ConnectionError) return backoffMs(failures);
  if (!(error instanceof ApiError)) return undefined;
  const isRetried = retriedStatuses.has(error.status) || error.code === "idempotency_in_flight";
  const { retryAfterMs = 0 } = error;
  if (!isRetried || retryAfterMs > maxRetryAfterMs) return undefined;
  // Never earlier than asked for, and not all clients at the same moment.
  return retryAfterMs + backoffMs(retryAfterMs > 0 ? 0 : failures);
}

type Attempt<T> = {
  signal: AbortSignal | undefined;
  timeoutMs: number;
  read: Read<T>;
};

/** One request. Throws `ApiError`, `ConnectionError`, or the reason of the caller's signal. */
async function attempt<T>(
  settings: Pick<Settings, "fetch" | "requestTimeoutMs">,
  url: URL,
  init: RequestInit,
  { signal, timeoutMs, read }: Attempt<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const signals = signal === undefined ? [timeout.signal] : [timeout.signal, signal];
  try {
    // A redirect would turn a write into a read.
    const options: RequestInit = { redirect: "manual", ...init, signal: AbortSignal.any(signals) };
    const response = await settings.fetch(url.href, options);
    if (!response.ok) throw await readApiError(response);
    return await read(response, { maxSilenceMs: settings.requestTimeoutMs, signal });
  } catch (error) {
    if (error instanceof ToolhostError) throw error;
    signal?.throwIfAborted();
    const what = timeout.signal.aborted
      ? `did not respond within ${timeoutMs} ms`
      : "could not be reached, or the connection was lost";
    throw new ConnectionError(`${url.origin} ${what}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a JSON response; undefined for an empty one. Throws `ApiError` for one of another type, such as a proxy's page. */
export async function readJson<T>(response: FetchResponse): Promise<T> {
  const text = await response.text();
  if (text === "") return undefined as T;
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    throw new ApiError(response, undefined);
  }
  return JSON.parse(text) as T;
}
