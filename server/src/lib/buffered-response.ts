import { getRequestListener } from "@hono/node-server";

/**
 * A `Response` whose text is sent without a stream. It is the adapter's own class, which the adapter offers only in place of the
 * global one. That one stays native, because libraries compare what `fetch` returns with it.
 */
export const BufferedResponse: typeof Response = takeAdapterClass();

function takeAdapterClass(): typeof Response {
  const native = Object.getOwnPropertyDescriptors(globalThis);
  getRequestListener(() => new Response(), { overrideGlobalObjects: true });
  const adapted = globalThis.Response;
  Object.defineProperty(globalThis, "Request", native.Request);
  Object.defineProperty(globalThis, "Response", native.Response);
  return adapted;
}
