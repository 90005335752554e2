import type { ErrorCode, Scope } from "@toolhost/contract";
import type { z } from "zod";
import type { AuditAction, Caller, KeyedRequest } from "#core/kernel";
import type { Context } from "#core/context";
import type { Spooled } from "#core/files";
import type { LimitState } from "#core/limits";

/** What a handler answers with, before it becomes a response. */
export type Answer<Body> = {
  status?: 200 | 201 | 204 | 206 | 304;
  body: Body;
  headers?: Readonly<Record<string, string>>;
  /** Of a text body, or of the stream. */
  contentType?: string;
  /** Sent bit by bit instead of `body`; null for an answer of headers alone. */
  stream?: ReadableStream<Uint8Array> | null;
};

/** A body that is not JSON, or not only. */
export type ReceivedBody = {
  /** What the route's `body` checks. */
  value: unknown;
  /** Stands for the body in the request's fingerprint; `value` itself without it. */
  fingerprint?: unknown;
  /** Its canonical JSON, where making that took another process. */
  canonical?: string | undefined;
  /** Bytes that came with it. They are discarded after the answer, unless the handler made a file of them. */
  upload?: Spooled;
};

type Shape = z.ZodObject;
type Output<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler is given: everything parsed. */
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
  /** The bytes that came with the body, where the route takes some. */
  upload: Spooled | undefined;
  headers: Headers;
  /** Of a HEAD request only the headers are answered. */
  isHead: boolean;
  /** Of a write whose handler takes the Idempotency-Key itself. */
  key: KeyedRequest | undefined;
  /** Whether the caller could make this request still: for answers that go on for long. */
  isStillAllowed: () => Promise<boolean>;
  /** Takes note of limits that the handler counted against. */
  noteLimits: (state: LimitState) => void;
  /** The request's address, for links to the next page. */
  url: URL;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
};

type Common = {
  summary: string;
  description?: string;
  /** Group in the API reference. */
  tag: string;
  /**
   * What the caller's key must carry. `session` takes a person who signed in to a workspace and no key, and
   * `person` one who need not belong to any: the handler is given a caller outside of all workspaces.
   */
  scope: Scope | "any" | "session" | "person";
  /** Refusals beyond those that every route may give. */
  errors?: readonly ErrorCode[];
  /** Headers that the handler reads. */
  requestHeaders?: readonly { name: string; description: string }[];
  /** Media types that it answers with beside JSON. */
  otherForms?: readonly string[];
  /** The media type of a text that it answers with instead of JSON. */
  textForm?: string;
  /** Reads the body of a route that takes others than JSON. */
  readBody?: (context: Context, request: Request, caller: Caller) => Promise<ReceivedBody>;
  /** Bodies that it takes beside JSON: schemas by media type. */
  otherBodies?: Readonly<Record<string, object>>;
  /** The body is a tool's input, which may hold more values than what people write. */
  takesInput?: boolean;
  /** Answers bytes of any type, and parts of them. */
  isBinary?: boolean;
  /** A request without a body is taken as well; `body` then says what stands for it. */
  isBodyOptional?: boolean;
  /** The handler takes the key together with what it writes first, instead of the door before it. */
  takesKey?: boolean;
  /** The answer holds a secret: what is kept of it for replays is encrypted. */
  isSecret?: boolean;
};

/**
 * Reading changes nothing, so it leaves no trace; whatever writes must say what its event is called. Only what is
 * kept where nobody but the caller sees it may be saved over and over without one.
 */
type Method =
  | { method: "get"; audit: null }
  | { method: "put"; audit: "private" }
  | { method: "post" | "put" | "patch" | "delete"; audit: AuditAction };

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** A schema of exactly the parameters that the path names. */
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
    /** Its result is text where it answers with another media type than JSON. */
    handle: (
      request: RouteRequest<Params, Query, Body>,
    ) => Promise<Answer<Result<Response> | (Response extends null ? never : string)>>;
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

/** Parsed by the schemas of the route that it is for. */
type ParsedRequest = Omit<
  RouteRequest<undefined, undefined, undefined>,
  "params" | "query" | "body"
> & {
  params: unknown;
  query: unknown;
  body: unknown;
};

/** A route as it is served, among routes of other shapes. Its functions take only what its own schemas parsed. */
export type Route = Common &
  Method & {
    path: string;
    params?: Shape | undefined;
    query?: Shape | undefined;
    body?: z.ZodType | undefined;
    status: 200 | 201 | 204;
    response: z.ZodType | null;
    handle: (request: ParsedRequest) => Promise<Answer<unknown>>;
    headersOf?: (result: unknown, context: Context) => Readonly<Record<string, string>>;
    statusOf?: (result: unknown) => 200 | 201;
  };

/** What every typed route is assignable to; `never` keeps its functions from being called. */
type AnyRoute = Omit<Route, "handle" | "headersOf" | "statusOf"> &
  Method & {
    handle: (request: never) => Promise<Answer<unknown>>;
    headersOf?: (result: never, context: Context) => Readonly<Record<string, string>>;
    statusOf?: (result: never) => 200 | 201;
  };

/**
 * One list of routes of all shapes. This is where their types end: from here on `serveRoute` sees to it that a handler is given
 * what its schemas parsed.
 */
export function listRoutes(...groups: readonly (readonly AnyRoute[])[]): readonly Route[] {
  const all: readonly AnyRoute[] = groups.flat();
  return all as readonly Route[];
}
