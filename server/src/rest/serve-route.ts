import type { z } from "zod";
import type { ErrorDetail } from "@toolhost/contract";
import {
  allowedOrigins,
  authenticateKey,
  authenticatePerson,
  authenticateSession,
  authenticateToken,
  isKey,
  requireScope,
} from "#core/identity";
import type { Caller, KeyedRequest, RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Spooled } from "#core/files";
import { chargeRequest } from "#core/limits";
import type { LimitState } from "#core/limits";
import { explainIssue } from "#lib/explain-issue";
import { toPointer } from "#lib/pointer";
import { quote } from "#lib/quote";
import { toCompressed } from "./compress.ts";
import { toStored, toStream } from "./response.ts";
import { inputLimits, jsonLimits } from "#core/validation";
import { bearerToken } from "./bearer-token.ts";
import { lookAhead } from "./look-ahead.ts";
import { readJsonBody, readOptionalJsonBody } from "./read-body.ts";
import { createRecheck } from "./recheck.ts";
import type { HandlerResult, ReceivedBody, Route } from "./route.ts";
import { readKey, serveWrite } from "./serve-write.ts";

const maxErrors = 100;
const maxQueryParameters = 50;

type Incoming = {
  request: Request;
  url: URL;
  params: Record<string, string>;
  origin: RequestOrigin;
  /** Called with the user who made the request. */
  noteUser: (userId: string) => void;
  /** Called with the state of the rate limits, for the response headers. */
  noteLimits: (state: LimitState) => void;
};

/**
 * Serves one request: key or session → caller, scope, rate limit, Idempotency-Key, parameters, body,
 * handler. Throws `ServiceError` if one of them fails.
 */
export async function serveRoute(
  context: Context,
  route: Route,
  incoming: Incoming,
): Promise<Response> {
  const { request, url, origin, noteUser, noteLimits } = incoming;
  const early = lookAhead(context, route, request.headers, incoming.params);
  const caller = await authenticate(context, route, request, origin);
  const recheck = createRecheck(async () =>
    checkScope(route, await authenticate(context, route, request, origin)),
  );
  noteUser(caller.userId);
  context.accessLog.noteCaller(caller);
  checkScope(route, caller);
  noteLimits(await chargeRequest(context, caller));
  const acceptEncoding = request.headers.get("accept-encoding");
  if (route.method === "get") {
    const answer = await handle(context, route, incoming, { caller, body: undefined });
    return answer.stream === undefined
      ? toCompressed(toStored(route, answer, origin.requestId), acceptEncoding)
      : toStream({ ...answer, stream: answer.stream });
  }
  readKey(request.headers);
  const received = await readBody(context, route, request, caller);
  const { value: body, upload, fingerprint = body, canonical } = received;
  try {
    // A body may take minutes to arrive.
    await recheck();
    const response = await serveWrite(context, route, {
      caller,
      headers: request.headers,
      path: url.pathname,
      body: fingerprint,
      canonicalBody: canonical,
      early,
      handle: (writer, key) =>
        handle(context, route, incoming, { caller: { ...writer, recheck }, body, upload, key }),
    });
    return await toCompressed(response, acceptEncoding);
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
  const limits = route.acceptsToolInput === true ? inputLimits : jsonLimits;
  const read = route.isBodyOptional === true ? readOptionalJsonBody : readJsonBody;
  return read(context, caller, request, limits);
}

type Received = {
  caller: Caller;
  body: unknown;
  upload?: Spooled | undefined;
  key?: KeyedRequest | undefined;
};

/** Validates the request against the schemas of the route and calls its handler. */
async function handle(
  context: Context,
  route: Route,
  { request, url, params, noteLimits }: Incoming,
  { caller, body, upload, key }: Received,
): Promise<HandlerResult<unknown>> {
  const parsed = {
    context,
    caller,
    params: route.params && parse(route.params, params, "path"),
    query: parseQuery(route, url),
    body: route.body && parse(route.body, body, "body"),
    upload,
    headers: request.headers,
    isHead: request.method === "HEAD",
    key,
    noteLimits,
    isStillAllowed: () => isAllowed(context, route, request, caller),
    url,
    // The adapter creates it with an event target when it is first used.
    get signal() {
      return request.signal;
    },
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
    const key = bearerToken(request.headers);
    if (key === undefined) {
      throw new ServiceError(
        "unauthenticated",
        "Send the API key as: Authorization: Bearer <API_KEY>.",
      );
    }
    // An access token of an app that the user signed in with, such as the command line.
    const caller = isKey(key)
      ? await authenticateKey(context, key, origin)
      : await authenticateToken(context, key, origin, "rest");
    if (isForPeople(route)) {
      throw new ServiceError(
        "forbidden",
        "API keys can't be used here. Sign in, and send the session cookie.",
      );
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
 * Prevents cross-site request forgery: a browser sends the cookie with requests of any page, together with their
 * `Origin`. Programs that send no `Origin` have the cookie themselves.
 */
function checkOrigin(context: Context, headers: Headers): void {
  const origin = headers.get("origin");
  const isForeign = origin !== null && !allowedOrigins(context.config).has(origin);
  const site = headers.get("sec-fetch-site");
  const isCrossSite = origin === null && site !== null && site !== "same-origin" && site !== "none";
  if (isForeign || isCrossSite) {
    throw new ServiceError("forbidden", "This session cannot be used by a page of another origin.");
  }
}

/** Whether the key or session of a request that is being served still allows it. */
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

/** Whether the route requires a signed-in user and rejects API keys. */
function isForPeople({ scope }: Route): boolean {
  return scope === "session" || scope === "person";
}

function checkScope(route: Route, caller: Caller): void {
  const { scope } = route;
  if (scope === "any" || scope === "session" || scope === "person") return;
  requireScope(caller, scope);
}

/** A parameter that appears more than once becomes an array. */
function readQuery(url: URL): Record<string, string | string[]> {
  if (url.search === "") return {};
  if (url.search.includes("%00")) {
    // PostgreSQL cannot store NUL in text, so a query for one would fail.
    throw new ServiceError("invalid_request", "A query parameter contains a NUL character.");
  }
  const query: Record<string, string | string[]> = {};
  const named = Map.groupBy(url.searchParams, ([name]) => name);
  if (named.size > maxQueryParameters) {
    const message = `A request can have at most ${maxQueryParameters} query parameters.`;
    throw new ServiceError("invalid_request", message);
  }
  for (const [name, entries] of named) {
    const values = entries.map(([, value]) => value);
    query[name] = values.length > 1 ? values : (values[0] ?? "");
  }
  return query;
}

/** Refuses unknown parameters: ignoring a misspelled filter would return too much. */
function parseQuery({ query: schema }: Route, url: URL): unknown {
  const query = readQuery(url);
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const supported = known.length === 0 ? "none" : known.join(", ");
    throw new ServiceError(
      "invalid_request",
      `This request has no query parameter ${quote(unknown[0] ?? "")}. Supported: ${supported}.`,
      { errors: unknown.map((name) => ({ path: toPointer([name]), message: "is not supported" })) },
    );
  }
  return schema && parse(schema, query, "query");
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
  const name = what === "body" ? at : at.slice(1);
  const subject = name === "" ? "it" : quote(name);
  throw new ServiceError("invalid_request", `Invalid ${what}: ${subject} ${first?.message}.`, {
    errors: errors.slice(0, maxErrors),
  });
}
