import type { AuditAction, ErrorCode, Scope } from "@toolhost/contract";
import type { z } from "zod";
import type { Caller, KeyedRequest } from "#core/kernel";
import type { Context } from "#core/context";
import type { Spooled } from "#core/files";
import type { LimitState } from "#core/limits";

/** What a handler returns, before it becomes a response. */
export type HandlerResult<Body> = {
  status?: 200 | 201 | 204 | 206 | 304;
  body: Body;
  headers?: Readonly<Record<string, string>>;
  /** The media type of a text body or a stream. */
  contentType?: string;
  /** Sent chunk by chunk instead of `body`; null for a response without a body. */
  stream?: ReadableStream<Uint8Array> | null;
};

/** A request body, as the `readBody` of a route returns it. */
export type ReceivedBody = {
  /** Validated by the route's `body` schema. */
  value: unknown;
  /** Replaces `value` in the fingerprint of the request. */
  fingerprint?: unknown;
  /** The canonical JSON of `value`, if a worker process computed it. */
  canonical?: string | undefined;
  /** Uploaded bytes. They are deleted after the response, unless the handler stores them as a file. */
  upload?: Spooled;
};

type Shape = z.ZodObject;
type Output<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** A parsed request, as a handler receives it. */
export type RouteRequest<
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
> = {
  context: Context;
  caller: Caller;
  params: Output<Params>;
  query: Output<Query>;
  body: Output<Body>;
  /** Uploaded bytes, on routes that accept them. */
  upload: Spooled | undefined;
  headers: Headers;
  /** A HEAD request gets headers only. */
  isHead: boolean;
  /** The Idempotency-Key of a write whose handler reserves it (`reservesKey`). */
  key: KeyedRequest | undefined;
  /** Checks again whether the caller may make this request, for long-lived streams. */
  isStillAllowed: () => Promise<boolean>;
  /** Reports rate limits that the handler consumed, for the response headers. */
  noteLimits: (state: LimitState) => void;
  /** The URL of the request, for links to the next page. */
  url: URL;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
};

type Common = {
  /** A verb and what it acts on, such as `runTool`: the name of the function in generated clients. Unique. */
  operation: string;
  summary: string;
  description?: string;
  /** Group in the API reference. */
  tag: string;
  /**
   * The scope that an API key or session needs. `session` requires a signed-in user and rejects API keys. So does `person`,
   * for users who may belong to no workspace: the caller that the handler receives has none.
   */
  scope: Scope | "any" | "session" | "person";
  /** Error codes besides those that every route can return. */
  errors?: readonly ErrorCode[];
  /** Headers that the handler reads. */
  requestHeaders?: readonly { name: string; description: string }[];
  /** Media types that it can return besides JSON. */
  otherMediaTypes?: readonly string[];
  /** The media type of a route that returns text instead of JSON. */
  textMediaType?: string;
  /** Reads the body of a route that accepts other media types than JSON. */
  readBody?: (context: Context, request: Request, caller: Caller) => Promise<ReceivedBody>;
  /** Schemas of the bodies that it accepts besides JSON, by media type. */
  otherBodies?: Readonly<Record<string, object>>;
  /** The body is the input of a tool, which may contain more values than other bodies. */
  acceptsToolInput?: boolean;
  /** Returns bytes of any media type, and supports range requests. */
  isBinary?: boolean;
  /** The body may be left out; `body` then has a default. */
  isBodyOptional?: boolean;
  /** The handler reserves the Idempotency-Key in its own transaction; otherwise `serveWrite` reserves it. */
  reservesKey?: boolean;
  /** Runs the tool that `toolName` in the path names. */
  runsTool?: boolean;
  /** The response contains a secret, so the copy stored for replays is encrypted. */
  isSecret?: boolean;
};

/**
 * Reads are not audited, and every write names its audit event. `private` is for frequent saves of data that only the caller
 * can see.
 */
type Method =
  | { method: "get"; audit: null }
  | { method: "put"; audit: "private" }
  | { method: "post" | "put" | "patch" | "delete"; audit: AuditAction };

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** A schema with at least the parameters that the path names. */
type ParamsOf<Path extends string> = [PathParameter<Path>] extends [never]
  ? undefined
  : z.ZodObject<Record<PathParameter<Path>, z.ZodType>>;

type Result<Response extends z.ZodType | null> = Response extends z.ZodType
  ? z.input<Response>
  : null;

/** A route with its types. */
type TypedRoute<
  Path extends string,
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
  Response extends z.ZodType | null,
> = Common &
  Method & {
    /** Below `/api/v1`, with `{name}` for parameters, as OpenAPI writes them. */
    path: Path;
    query?: Query;
    body?: Body;
    status: 200 | 201 | 204;
    response: Response;
    /** Returns text where the response has another media type than JSON. */
    handle: (
      request: RouteRequest<Params, Query, Body>,
    ) => Promise<HandlerResult<Result<Response> | (Response extends null ? never : string)>>;
    /** Headers that describe a result, the same in the first response and in its replays. */
    headersOf?: (result: Result<Response>, context: Context) => Readonly<Record<string, string>>;
    /** The status of a result where it varies, the same in the first response and in its replays. */
    statusOf?: (result: Result<Response>) => 200 | 201;
  } & (Params extends undefined ? { params?: undefined } : { params: Params });

/**
 * Declares a route. It compiles only with a scope, with schemas for the parameters of its path and, for a write, with the name
 * of its audit event.
 */
export function defineRoute<
  const Path extends string,
  Params extends ParamsOf<Path>,
  Query extends Shape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | null = null,
>(
  route: TypedRoute<Path, Params, Query, Body, Response>,
): TypedRoute<Path, Params, Query, Body, Response> {
  return route;
}

/** A request as parsed by the schemas of its route. */
type ParsedRequest = Omit<
  RouteRequest<undefined, undefined, undefined>,
  "params" | "query" | "body"
> & {
  params: unknown;
  query: unknown;
  body: unknown;
};

/** A route among routes of other shapes. Its functions accept only what its own schemas parsed. */
export type Route = Common &
  Method & {
    path: string;
    params?: Shape | undefined;
    query?: Shape | undefined;
    body?: z.ZodType | undefined;
    status: 200 | 201 | 204;
    response: z.ZodType | null;
    handle: (request: ParsedRequest) => Promise<HandlerResult<unknown>>;
    headersOf?: (result: unknown, context: Context) => Readonly<Record<string, string>>;
    statusOf?: (result: unknown) => 200 | 201;
  };

/** Every typed route is assignable to it. As its functions take `never`, they cannot be called. */
type AnyRoute = Omit<Route, "handle" | "headersOf" | "statusOf"> &
  Method & {
    handle: (request: never) => Promise<HandlerResult<unknown>>;
    headersOf?: (result: never, context: Context) => Readonly<Record<string, string>>;
    statusOf?: (result: never) => 200 | 201;
  };

/**
 * Puts routes of all shapes in one list, which erases their types: from here on `serveRoute` makes sure that a handler receives
 * only what the schemas of its route parsed.
 */
export function listRoutes(...groups: readonly (readonly AnyRoute[])[]): readonly Route[] {
  const all: readonly AnyRoute[] = groups.flat();
  return all as readonly Route[];
}
