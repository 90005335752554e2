import { errorCodes, installInfo, problem, webhookPayload } from "@toolhost/contract";
import type { ErrorCode } from "@toolhost/contract";
import type { z } from "zod";
import { sessionCookieOf } from "#core/identity";
import { describeInstallPath, installPath } from "./install.ts";
import type { Route } from "./route.ts";
import { createSchemaCollector } from "./schema-collector.ts";
import type { SchemaCollector } from "./schema-collector.ts";
import { describeDownloadPath, downloadErrors, downloadPath } from "./download-link.ts";
import { describeUploadPath, uploadPath } from "./upload-url.ts";

type Json = { [name: string]: unknown };

/** Error codes that every route can return; a route adds its own. */
const commonErrors: readonly ErrorCode[] = [
  "invalid_request",
  "unauthenticated",
  "rate_limited",
  "internal",
  "unavailable",
];
const scopeErrors: readonly ErrorCode[] = ["insufficient_scope", "forbidden"];
const writeErrors: readonly ErrorCode[] = [
  "idempotency_key_missing",
  "idempotency_key_invalid",
  "idempotency_in_flight",
  "idempotency_key_reused",
  "quota_exceeded",
];
const uploadErrors: readonly ErrorCode[] = [
  "invalid_request",
  "file_not_found",
  "internal",
  "unavailable",
];
const bodyErrors: readonly ErrorCode[] = ["payload_too_large", "unsupported_media_type"];

/** The OpenAPI 3.1 document, generated from the schemas that validate requests. */
export function describeApi(routes: readonly Route[], baseUrl: string): Json {
  const schemas = createSchemaCollector();
  const paths: Record<string, Json> = {};
  schemas.add(problem, "output");
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route, schemas) };
  }
  paths[installPath] = describeInstallPath(
    schemas.add(installInfo, "output"),
    describeCodes(["method_not_allowed", "internal"]),
  ) as Json;
  paths[downloadPath] = describeDownloadPath(describeCodes(downloadErrors)) as Json;
  paths[uploadPath] = describeUploadPath(describeCodes(uploadErrors)) as Json;
  return {
    openapi: "3.1.1",
    info: {
      title: "Toolhost",
      version: "1",
      summary: "Hosts the tools that people build, and runs them on demand.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: { event: { post: describeWebhook(schemas) } },
    components: {
      schemas: schemas.components,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookieOf(baseUrl),
          description:
            "The session of a user who signed in at /api/auth/sign-in/email. The name depends on the URL of the service: `toolhost.session_token`, with a port `toolhost-PORT.session_token`, and with HTTPS `__Secure-` in front.",
        },
      },
    },
  };
}

/** The requests that the service sends to webhooks. */
function describeWebhook(schemas: SchemaCollector): Json {
  return {
    operationId: "receiveWebhook",
    tags: ["Webhooks"],
    summary: "Receive an event",
    description:
      "Signed as Standard Webhooks: verify `webhook-signature`, `webhook-timestamp` and `webhook-id`. An event can arrive more than once, with the same `webhook-id`.",
    security: [],
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemas.add(webhookPayload, "output") } },
    },
    responses: {
      "2XX": { description: "The event was received." },
      410: { description: "Disables the webhook." },
    },
  };
}

function noteOnAccess(scope: Route["scope"]): string | undefined {
  if (scope === "any") return undefined;
  return scope === "session" || scope === "person"
    ? "Requires a session; API keys cannot be used."
    : `Requires the scope \`${scope}\`.`;
}

function describeRoute(route: Route, schemas: SchemaCollector): Json {
  const isSessionOnly = route.scope === "session" || route.scope === "person";
  const description = [route.description, noteOnAccess(route.scope)].filter(Boolean).join(" ");
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    ...(description === "" ? {} : { description }),
    ...(isSessionOnly ? { security: [{ session: [] }] } : {}),
    parameters: [
      ...parametersOf(route.params, "path", schemas),
      ...parametersOf(route.query, "query", schemas),
      ...(route.method === "get" ? [] : [idempotencyKey]),
      ...(route.requestHeaders ?? []).map((header) => ({
        ...header,
        in: "header",
        required: false,
        schema: { type: "string" },
      })),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.isBodyOptional !== true,
            content: describeBodies(route, route.body, schemas),
          },
        }),
    responses: {
      [route.status]: describeSuccess(route, schemas),
      ...(route.statusOf === undefined ? {} : { 200: describeSuccess(route, schemas) }),
      ...(route.isBinary === true ? partialResponses : {}),
      ...describeErrors(route),
    },
  };
}

function describeBodies(route: Route, body: z.ZodType, schemas: SchemaCollector): Json {
  const others = Object.entries(route.otherBodies ?? {}).map(([type, schema]) => [
    type,
    { schema },
  ]);
  return {
    "application/json": { schema: schemas.add(body, "input") },
    ...(Object.fromEntries(others) as Json),
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description:
    "A new UUID v4 for each request. Send the same one to retry a request: for 24 hours, the response has the same status, headers and bytes.",
  schema: { type: "string", format: "uuid" },
};

const responseHeaders: Json = {
  "X-Request-Id": text("ID of the request; in a replay, the ID of the original request."),
  RateLimit: text("What remains of the tightest limit, and the seconds until it resets."),
  "RateLimit-Policy": text("The limits that apply, with their windows in seconds."),
};

const replayHeader: Json = {
  "Idempotent-Replay": text(
    "`true` when the response is a replay of the first one for this Idempotency-Key.",
  ),
};

const totalHeaders: Json = {
  "X-Total-Count": text("The number of items on all pages, if requested with `total`."),
  "X-Total-Count-Relation": text("`eq`, or `gte` if there are more items than were counted."),
};

// The media type is that of the file, so the document cannot list it. `format` makes generated clients return bytes.
const anyBytes: Json = { "*/*": { schema: { type: "string", format: "binary" } } };
const fileResponseHeaders: Json = {
  "Content-Type": text("The media type of the file."),
  "Content-Disposition": text("`inline` for safe images, otherwise `attachment`, with the name."),
  ETag: text("The hash of the bytes, for `If-None-Match` and `If-Range`."),
};
const partialResponses: Json = {
  206: { description: "The requested range.", headers: fileResponseHeaders, content: anyBytes },
  304: { description: "The cached copy of the client is current." },
};

function text(description: string): Json {
  return { schema: { type: "string" }, description };
}

function describeSuccess(route: Route, schemas: SchemaCollector): Json {
  const headers = {
    ...responseHeaders,
    ...(route.method === "get" ? {} : replayHeader),
    ...(route.query !== undefined && "total" in route.query.shape ? totalHeaders : {}),
  };
  if (route.isBinary === true) {
    const all = { ...headers, ...fileResponseHeaders };
    return { description: "The bytes of the file.", headers: all, content: anyBytes };
  }
  if (route.response === null) return { description: "Success, without a response body.", headers };
  if (route.textMediaType !== undefined) {
    const content = { [route.textMediaType]: { schema: { type: "string" } } };
    return { description: "Success.", headers, content };
  }
  const others = (route.otherMediaTypes ?? []).map((type) => [
    type,
    { schema: { type: "string" } },
  ]);
  return {
    description: "Success.",
    headers,
    content: {
      "application/json": { schema: schemas.add(route.response, "output") },
      ...Object.fromEntries(others),
    },
  };
}

function describeErrors(route: Route): Json {
  const codes = new Set<ErrorCode>([
    ...commonErrors,
    ...(route.scope === "any" ? [] : scopeErrors),
    ...(route.method === "get" ? [] : writeErrors),
    ...(route.body === undefined ? [] : bodyErrors),
    ...(route.errors ?? []),
  ]);
  return describeCodes(codes);
}

/** Error responses, by status. */
function describeCodes(codes: Iterable<ErrorCode>): Json {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, sameStatus]) => [
        status,
        {
          description: sameStatus
            .map((code) => `\`${code}\`: ${errorCodes[code].title}.`)
            .join(" "),
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      ]),
  );
}

function parametersOf(
  shape: z.ZodObject | undefined,
  location: "path" | "query",
  schemas: SchemaCollector,
): Json[] {
  return Object.entries(shape?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = schemas.inline(type as z.ZodType);
    const isRequired = location === "path" || !(type as z.ZodType).safeParse(undefined).success;
    return {
      name,
      in: location,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}
