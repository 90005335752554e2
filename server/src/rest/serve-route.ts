import type { z } from "zod";
import type { ErrorDetail } from "@toolhost/contract";
import {
  allowedOrigins,
  authenticateKey,
  authenticatePerson,
  authenticateSession,
} from "#core/identity";
import type { Caller, KeyedRequest, RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Spooled } from "#core/files";
import { takeRequest } from "#core/limits";
import type { LimitState } from "#core/limits";
import { explainIssue } from "#lib/explain-issue";
import { toPointer } from "#lib/pointer";
import { toKept, toResponse, toStream } from "./answer.ts";
import { inputLimits, jsonLimits } from "#core/validation";
import { readJsonBody, readOptionalJsonBody } from "./read-body.ts";
import type { Answer, ReceivedBody, Route } from "./route.ts";
import { readKey, serveWrite } from "./serve-write.ts";

const maxErrors = 100;
const maxQueryParameters = 50;

type Incoming = {
  request: Request;
  url: URL;
  params: Record<string, string>;
  origin: RequestOrigin;
  /** Called with whose request it is. */
  noteUser: (userId: string) => void;
  /** Told where the caller stands with the limits, for the headers of whatever is answered. */
  noteLimits: (state: LimitState) => void;
};

/**
 * Serves one request: key or session → caller, scope, rate limit, Idempotency-Key, parameters, body,
 * handler. Throws `ServiceError` for what it refuses.
 */
export async function serveRoute(
  context: Context,
  route: Route,
  incoming: Incoming,
): Promise<Response> {
  const { request, url, origin, noteUser, noteLimits } = incoming;
  const caller = await authenticate(context, route, request, origin);
  noteUser(caller.userId);
  checkScope(route, caller);
  noteLimits(await takeRequest(context, caller));
  if (route.method === "get") {
    const answer = await handle(context, route, incoming, { caller, body: undefined });
    return answer.stream === undefined
      ? toResponse(toKept(route, answer, origin.requestId))
      : toStream({ ...answer, stream: answer.stream });
  }
  readKey(request.headers);
  const received = await readBody(context, route, request, caller);
  const { value: body, upload, fingerprint = body, canonical } = received;
  try {
    return await serveWrite(context, route, {
      caller,
      headers: request.headers,
      path: url.pathname,
      body: fingerprint,
      canonicalBody: canonical,
      handle: (writer, key) =>
        handle(context, route, incoming, { caller: writer, body, upload, key }),
    });
  } finally {
    await upload?.discard();
  }
}

async function readBody(
  context: Context,
  route: Route,
  request: Request,
  caller: Caller,
): Promise<ReceivedBody> {
  if (route.readBody !== undefined) return route.readBody(context, request, caller);
  if (route.body === undefined) return { value: undefined };
  const limits = route.takesInput === true ? inputLimits : jsonLimits;
  const read = route.isBodyOptional === true ? readOptionalJsonBody : readJsonBody;
  return read(context, caller, request, limits);
}

type Asked = {
  caller: Caller;
  body: unknown;
  upload?: Spooled | undefined;
  key?: KeyedRequest | undefined;
};

/** Checks the request's parts against the route's schemas and calls its handler. */
async function handle(
  context: Context,
  route: Route,
  { request, url, params, noteLimits }: Incoming,
  { caller, body, upload, key }: Asked,
): Promise<Answer<unknown>> {
  const parsed = {
    context,
    caller,
    params: route.params && parse(route.params, params, "path"),
    query: route.query && parse(route.query, readQuery(url), "query"),
    body: route.body && parse(route.body, body, "body"),
    upload,
    headers: request.headers,
    isHead: request.method === "HEAD",
    key,
    noteLimits,
    isStillAllowed: () => isAllowed(context, route, request, caller),
    url,
    signal: request.signal,
  };
  const answer = await route.handle(parsed);
  const headers = route.headersOf?.(answer.body, context);
  return headers === undefined ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
}

async function authenticate(
  context: Context,
  route: Route,
  request: Request,
  origin: RequestOrigin,
): Promise<Caller> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined) {
      throw new ServiceError(
        "unauthenticated",
        "Send the API key as: Authorization: Bearer <API_KEY>.",
      );
    }
    const caller = await authenticateKey(context, key, origin);
    if (isForPeople(route)) {
      throw new ServiceError("forbidden", "Only a signed-in person may do this, not an API key.");
    }
    return caller;
  }
  if (!request.headers.has("cookie")) {
    throw new ServiceError(
      "unauthenticated",
      "Send an API key as: Authorization: Bearer <API_KEY>.",
    );
  }
  if (route.method !== "get") checkOrigin(context, request.headers);
  if (route.scope === "person") return authenticatePerson(context, request.headers, origin);
  const workspaceId = request.headers.get("x-workspace-id") ?? undefined;
  return authenticateSession(context, request.headers, workspaceId, origin);
}

/**
 * A browser sends a person's cookie with any page's request, and its `Origin` with it. Programs that send
 * none hold the cookie themselves, so there is nobody to forge for.
 */
function checkOrigin(context: Context, headers: Headers): void {
  const origin = headers.get("origin");
  const isForeign = origin !== null && !allowedOrigins(context.config).has(origin);
  const site = headers.get("sec-fetch-site");
  const isCrossSite = origin === null && site !== null && site !== "same-origin" && site !== "none";
  if (isForeign || isCrossSite) {
    throw new ServiceError("forbidden", "A page of another origin may not use this session.");
  }
}

/** Whether the key or session of a request that is being answered still lets it in. */
async function isAllowed(
  context: Context,
  route: Route,
  request: Request,
  { requestId, ip }: Caller,
): Promise<boolean> {
  try {
    checkScope(route, await authenticate(context, route, request, { requestId, ip }));
    return true;
  } catch {
    return false;
  }
}

/** Whether only somebody who signed in may ask, and no key. */
function isForPeople({ scope }: Route): boolean {
  return scope === "session" || scope === "person";
}

function checkScope(route: Route, caller: Caller): void {
  const { scope } = route;
  if (scope === "any" || scope === "session" || scope === "person") return;
  if (caller.scopes.has(scope)) return;
  throw new ServiceError("insufficient_scope", `This needs the scope ${route.scope}.`, {
    extra: { requiredScope: route.scope },
  });
}

/** Parameters that may be repeated come as arrays, others as text. */
function readQuery(url: URL): Record<string, string | string[]> {
  if (url.search.includes("%00")) {
    // PostgreSQL keeps no NUL in a text, so none can be looked for.
    throw new ServiceError("invalid_request", "A query parameter holds a NUL character.");
  }
  const query: Record<string, string | string[]> = {};
  const named = Map.groupBy(url.searchParams, ([name]) => name);
  if (named.size > maxQueryParameters) {
    const message = `A request may have ${maxQueryParameters} query parameters.`;
    throw new ServiceError("invalid_request", message);
  }
  for (const [name, entries] of named) {
    const values = entries.map(([, value]) => value);
    query[name] = values.length > 1 ? values : (values[0] ?? "");
  }
  return query;
}

function parse(schema: z.ZodType, value: unknown, what: "body" | "query" | "path"): unknown {
  const result = schema.safeParse(value, { error: explainIssue });
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, maxErrors);
  const errors: ErrorDetail[] = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, maxErrors).map((key) => ({
          path: toPointer([...issue.path, key]),
          message: "is not a field of this request",
        }))
      : [{ path: toPointer(issue.path), message: issue.message }],
  );
  const [first] = errors;
  const at = first?.path ?? "";
  const place =
    what === "body" ? `The body ${at && `at ${at} `}` : `The ${what} parameter ${at.slice(1)} `;
  throw new ServiceError("invalid_request", `${place}is not valid: ${first?.message}.`, {
    errors: errors.slice(0, maxErrors),
  });
}
