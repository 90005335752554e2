import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { Dispatcher } from "undici";
import { RegistryError } from "./registry-error.ts";

export type DownloadRequest = {
  dispatcher: Dispatcher;
  url: URL;
  headers: Record<string, string>;
  /** What it is, for messages. */
  what: string;
  signal: AbortSignal;
  /** Called with the bytes of each chunk before it is used; throws when they are too many. */
  charge: (bytes: number) => void;
};

export type Download = { headers: Dispatcher.ResponseData["headers"]; body: AsyncIterable<Buffer> };

const maxRedirects = 3;
/** Before each further attempt. */
const retryPausesMs = [500, 2_000];
/** Time in which a server has to send something, and what it has to send in the same time from then on. */
const progressMs = 10_000;
const minBytesInProgress = 64 * 1024;

/**
 * Requests something of a registry, and nothing of any other host. Throws `RegistryError`: `not_found`, `refused` for
 * a redirect to another origin or an answer that the operator has to look at, `unavailable` for everything that may
 * work later, also while the body is read.
 */
export async function openDownload(wanted: DownloadRequest): Promise<Download> {
  for (const pauseMs of retryPausesMs) {
    try {
      return await follow(wanted);
    } catch (error) {
      if (!isWorthAnother(error)) throw error;
      await sleep(pauseMs, undefined, { signal: wanted.signal });
    }
  }
  return follow(wanted);
}

async function follow(wanted: DownloadRequest): Promise<Download> {
  let { url } = wanted;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const answer = await ask(wanted, url);
    const { statusCode, headers, body } = answer;
    const { location } = headers;
    if (statusCode !== 200) discard(body);
    if (statusCode >= 300 && statusCode < 400 && typeof location === "string") {
      url = redirected(url, location, wanted.what);
      continue;
    }
    if (statusCode === 200) return { headers, body: paced(answer, wanted) };
    throw refusal(statusCode, wanted.what);
  }
  throw new RegistryError("refused", `The registry redirects ${wanted.what} too often.`);
}

/** Closes the connection of a body that nothing reads, as waiting for its end would let the registry hold the build. */
function discard(body: Dispatcher.ResponseData["body"]): void {
  // Destroying it before its end emits an error that concerns nobody.
  body.on("error", () => undefined).destroy();
}

async function ask({ dispatcher, headers, what, signal }: DownloadRequest, url: URL) {
  try {
    return await request(url, {
      dispatcher,
      headers,
      signal,
      headersTimeout: progressMs,
      bodyTimeout: progressMs,
    });
  } catch (cause) {
    throw unavailable(what, cause);
  }
}

/** A redirect within the registry. Elsewhere nothing is asked, so that no credential is sent there either. */
function redirected(from: URL, location: string, what: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new RegistryError("refused", `The registry redirects ${what} to another host.`);
}

/** The body, as long as it comes fast enough and is not too large. Only time spent waiting for it counts. */
async function* paced(
  { body }: Dispatcher.ResponseData,
  { what, charge }: DownloadRequest,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waitedMs = 0;
  let bytes = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const next = await chunks.next().catch((cause: unknown) => {
        throw unavailable(what, cause);
      });
      if (next.done === true) return;
      waitedMs += performance.now() - askedAt;
      bytes += next.value.length;
      charge(next.value.length);
      if (waitedMs >= progressMs) {
        if (bytes < minBytesInProgress)
          throw unavailable(what, new Error("The response is too slow"));
        waitedMs = 0;
        bytes = 0;
      }
      yield next.value;
    }
  } finally {
    body.destroy();
  }
}

function refusal(status: number, what: string): RegistryError {
  if (status === 404 || status === 410) {
    return new RegistryError("not_found", `The registry does not have ${what}.`);
  }
  if (status === 401 || status === 403 || status === 451) {
    return new RegistryError("refused", `The registry denies access to ${what}.`);
  }
  return unavailable(what, new Error(`The registry returned status ${status}`));
}

function unavailable(what: string, cause: unknown): RegistryError {
  return new RegistryError("unavailable", `The registry did not return ${what}.`, { cause });
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof RegistryError && error.kind === "unavailable";
}
