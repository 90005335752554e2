import { ConnectionError } from "./errors.ts";
import type { FetchResponse } from "./fetch.ts";

/** When the bytes of a response are late. */
export type SilenceLimit = { maxSilenceMs: number; signal?: AbortSignal | undefined };

/**
 * The same bytes, which end with `ConnectionError` if the connection is lost or none arrive for too long, and with the reason
 * of the signal if it aborts. The time in which the consumer does not read does not count.
 */
export function watchSilence(
  body: ReadableStream<Uint8Array> | null,
  { maxSilenceMs, signal }: SilenceLimit,
): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new ConnectionError(`No data arrived for ${maxSilenceMs} ms.`));
          reader.cancel().catch(() => undefined);
        }, maxSilenceMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), silence]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ConnectionError) throw error;
        throw new ConnectionError("The connection was lost.", { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The same response, with a body that does not wait forever. */
export function watchBody(response: FetchResponse, limit: SilenceLimit): Response {
  const { status, statusText, headers, url } = response;
  const body = response.body && watchSilence(response.body, limit);
  const copy = new Headers();
  headers.forEach((value, name) => copy.append(name, value));
  const watched = new Response(body, { status, statusText, headers: copy });
  return Object.defineProperty(watched, "url", { value: url });
}
