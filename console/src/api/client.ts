import type {
  ApiArguments,
  ApiItem,
  ApiResponse,
  ApiRoute,
  PagedPath,
  PathOf,
  RouteOf,
} from "@toolhost/contract/api";
import { ApiProblem, isPermanentError, isUnreachable } from "./problem.ts";
import { requestPage, requestRoute } from "./request.ts";
import type { AnyRequest, Options, Page } from "./request.ts";
import { identify, keyOf, noteConfirmed, noteUnconfirmed } from "./unconfirmed-writes.ts";

const retryDelaysMs = [400, 1_500, 4_000];

/** Calls the routes of the REST API, with the types of each. */
export const api = { get, getPage, send, fetch: fetchRoute };

/** Reads from the REST API. Throws `ApiProblem`. */
async function get<Path extends PathOf<"GET">>(
  path: Path,
  ...[request]: ApiArguments<RouteOf<"GET", Path>, Options>
): Promise<ApiResponse<RouteOf<"GET", Path>>> {
  const response = await requestRoute(`GET ${path}`, request);
  return (await response.json()) as ApiResponse<RouteOf<"GET", Path>>;
}

/** Reads one page of a list. Throws `ApiProblem`. */
function getPage<Path extends PagedPath>(
  path: Path,
  ...[request]: ApiArguments<RouteOf<"GET", Path>, Options>
): Promise<Page<ApiItem<Path>>> {
  return requestPage(path, request);
}

/**
 * Sends a write. Retries after a lost connection with the same `Idempotency-Key`, and so does the next call that repeats it, so that
 * the write still happens once. Throws `ApiProblem`.
 */
async function send<Route extends Exclude<ApiRoute, `GET ${string}`>>(
  route: Route,
  ...[request]: ApiArguments<Route, Options>
): Promise<ApiResponse<Route>> {
  const { headers, ...rest }: AnyRequest = request ?? {};
  const identity = identify(route, rest);
  const key = keyOf(identity);
  const keyed = { ...rest, headers: { "idempotency-key": key, ...headers } };
  for (const delayMs of [...retryDelaysMs, undefined]) {
    try {
      const response = await requestRoute(route, keyed);
      const text = await response.text();
      noteConfirmed();
      return (text === "" ? undefined : JSON.parse(text)) as ApiResponse<Route>;
    } catch (error) {
      const isAborted = rest.signal?.aborted === true;
      if (isLost(error) && delayMs !== undefined && !isAborted) {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        continue;
      }
      if (isRefusal(error)) noteConfirmed();
      else noteUnconfirmed(identity, key);
      throw error;
    }
  }
  throw new Error("unreachable");
}

/** Whether there was no response, or only a part of one, or the first request with the same key is still in progress. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return !(error instanceof SyntaxError);
  return isUnreachable(error) || error.code === "idempotency_in_flight";
}

/** Whether the service refused the write, and not only because it could not check whether it has happened already. */
function isRefusal(error: unknown): boolean {
  return isPermanentError(error) && !isLost(error) && !isUnauthorized(error);
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

/** The response of a route that is not read as JSON, or only later. Throws `ApiProblem`. */
function fetchRoute<Route extends ApiRoute>(
  route: Route,
  ...[request]: ApiArguments<Route, Options>
): Promise<Response> {
  return requestRoute(route, request);
}
