/** Texts of the API reference. */
export const messages = {
  title: "API reference",
  lead: "Your scripts can do everything this console does. Requests that you try here use your session and change real data; scripts send an API key. The OpenAPI document is at",
  documentUrl: "/openapi.json",
  leadEnd: ".",
  idempotencyKey: "A new UUID v4 for each request. If empty, the page generates one.",
  controls: {
    body: "Request body",
    value: "Value",
    mediaType: "Media type",
    bodyMediaType: "Media type of the request body",
    filter: "Filter by tag or path",
  },
} as const;
