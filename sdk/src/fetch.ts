/** What the client reads of a response, which the global `Response` has. */
export type FetchResponse = Pick<
  Response,
  "ok" | "status" | "statusText" | "url" | "body" | "text" | "json"
> & { readonly headers: Pick<Headers, "get"> & Iterable<[string, string]> };

/** Sends a request, as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<FetchResponse>;
