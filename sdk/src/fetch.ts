/** What the client reads of a response, which the global `Response` has. */
export type FetchResponse = Pick<
  Response,
  "ok" | "status" | "statusText" | "url" | "body" | "text" | "json"
> & {
  readonly headers: {
    get(name: string): string | null;
    forEach(callback: (value: string, name: string) => void): void;
  };
};

/** Sends a request, as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<FetchResponse>;
