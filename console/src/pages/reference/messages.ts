import type { Access, Place } from "./document.ts";

/** The least and the greatest value of a schema, or its length. */
type Bounds = { min: number | undefined; max: number | undefined; isLength: boolean };

const places: Readonly<Record<Place, string>> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
};

const access: Readonly<Record<Access, string>> = {
  key: "API key or session",
  session: "Session only",
  none: "No authentication",
  webhook: "Sent by the service",
};

/** Texts of the API reference. */
export const messages = {
  title: "API reference",
  lead: "Your scripts can do everything this console does. The OpenAPI document is at",
  leadEnd: ".",
  untagged: "Other",

  list: {
    label: "Operations",
    search: "Search operations",
    placeholder: "Search by name, path or text",
    found: (count: number) => (count === 1 ? "1 operation" : `${count} operations`),
    none: "No operation matches. Try fewer words.",
    all: "All operations",
  },

  overview: {
    baseUrl: "Base URL",
    authentication: "Authentication",
    authenticationText:
      "Send an API key as `Authorization: Bearer KEY`. Each operation names the scope that the key needs.",
    keys: "Your API keys",
    writes: "Writes",
    writesText:
      "Each `POST`, `PUT`, `PATCH` and `DELETE` needs an `Idempotency-Key`, a new UUID v4. Repeat a request with the same key, and the work is done once: for 24 hours, the response has the same bytes.",
    errors: "Errors",
    errorsText:
      "Errors are problem documents (RFC 9457) with a stable `code`. Each operation lists its codes. Quote the `X-Request-Id` of a response when you report a problem.",
    lists: "Lists",
    listsText:
      "Lists return one page. The `Link` header has the URL of the next page; the last page has none.",
  },

  operation: {
    notFound: "Operation not found",
    notFoundText: "This version of the service has no such operation.",
    tabs: "Operation",
    docs: "Documentation",
    try: "Try it",
    copyLink: "Copy link",
    access,
    places,
    required: "required",
    body: "Request body",
    bodyOptional: "Request body (optional)",
    response: (status: string) => `Response ${status}`,
    noBody: "No body",
    headers: "Response headers",
    errors: "Errors",
    status: "Status",
    code: "Code",
    meaning: "Meaning",
    fields: (name: string | undefined) => (name === undefined ? "Fields" : `Fields of ${name}`),
    option: (index: number, name: string | undefined) =>
      name === undefined ? `Option ${index}` : `Option ${index}: ${name}`,
    example: "Example",
    exampleLabel: "Language",
    sessionOnly: "API keys cannot call this operation. Try it with your session.",
  },

  try: {
    realData: "Requests change real data in this workspace.",
    keyHint: "If empty, your session is used. The key is not stored.",
    apiKey: "API key",
    idempotencyHint: "A new UUID v4 for each request. If empty, the page generates one.",
    notSet: "Not set",
    mediaType: "Media type",
    responseType: "Response media type",
    jsonBody: "Request body (JSON)",
    file: "File",
    send: "Send request",
    cancel: "Cancel request",
    cancelled: "Request cancelled.",
    failed: "The request failed. Check your connection.",
    result: "Response",
    statusLine: (status: number, time: string) => `Status ${status} in ${time}`,
    body: "Response body",
    empty: "The response has no body.",
    truncated: (size: string) => `Only the first ${size} are shown.`,
    binary: (type: string, size: string) => `${size} of ${type}`,
    save: "Save file",
    request: "This request as code",
  },

  types: {
    any: "any",
    arrayOf: (item: string) => `array of ${item}`,
    objectOf: (item: string) => `object of ${item}`,
    bounds: ({ min, max, isLength }: Bounds) => {
      if (max === undefined) return min === undefined ? "" : `, from ${min}`;
      if (isLength) return `, up to ${max} characters`;
      return min === undefined ? `, up to ${max}` : `, ${min} to ${max}`;
    },
  },
} as const;
