import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { Dispatcher } from "undici";
import { RegistryError } from "./registry-error.ts";

export type DownloadRequest = {
  dispatcher: Dispatcher;
  url: URL;
  headers: Record<string, string>;
  /** Description of the resource for error messages. */
  what: string;
  signal: AbortSignal;
  /** Called with the size of each chunk before it is used; throws above the download limit. */
  charge: (bytes: number) => void;
};

export type Download = { headers: Dispatcher.ResponseData["headers"]; body: AsyncIterable<Buffer> };

const maxRedirects = 3;
/** Pauses before the second and third attempt. */
const retryPausesMs = [500, 2_000];
/** Time within which a server has to respond, and then has to send `minBytesInProgress` repeatedly. */
const progressMs = 10_000;
const minBytesInProgress = 64 * 1024;

/**
 * Downloads a resource from the registry, never from another host. Throws `RegistryError`: `not_found`, `refused` for a
 * redirect to another origin or a response that the operator has to investigate, `unavailable` for temporary failures,
 * also while the body is read.
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

/** Closes the connection instead of draining the body, which would let the registry delay the build. */
function discard(body: Dispatcher.ResponseData["body"]): void {
  // Destroying an unfinished body emits an error that can be ignored.
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

/** Follows redirects within the registry only, so that its credentials are not sent elsewhere. */
function redirected(from: URL, location: string, what: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new RegistryError("refused", `The registry redirects ${what} to another host.`);
}

/** Yields the body while it arrives fast enough and is not too large. Counts only the time spent waiting for chunks. */
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
