type Headers = Readonly<Record<string, string>>;

/** The headers of every response with a run's end. */
const commonHeaders = (requestId: string | null): Headers => ({
  "cache-control": "no-store",
  "content-type": "application/json",
  "x-request-id": requestId ?? "",
});

/** The headers to store for replays of a run's end: those that are not the same for each run, whose row has the request ID. */
export function compactHeaders(headers: Headers, requestId: string | null): Headers {
  const common = commonHeaders(requestId);
  if (Object.entries(common).some(([name, value]) => headers[name] !== value)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in common)));
}

/** The headers of a replay, from those that {@link compactHeaders} has stored. */
export function expandHeaders(headers: Headers, requestId: string | null): Headers {
  return "content-type" in headers ? headers : { ...commonHeaders(requestId), ...headers };
}
