import type {
  ApiArguments,
  ApiItem,
  ApiResponse,
  ApiRoute,
  PagedPath,
  PathOf,
  RouteOf,
} from "@toolhost/contract/api";
import { ApiProblem } from "./problem.ts";
import { requestPage, requestRoute } from "./request.ts";
import type { AnyRequest, Options, Page } from "./request.ts";

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
 * Sends a write. Retries after a lost connection with the same `Idempotency-Key`, so that the write still happens once. Throws
 * `ApiProblem`.
 */
async function send<Route extends Exclude<ApiRoute, `GET ${string}`>>(
  route: Route,
  ...[request]: ApiArguments<Route, Options>
): Promise<ApiResponse<Route>> {
  const { headers, ...rest }: AnyRequest = request ?? {};
  const keyed = { ...rest, headers: { "idempotency-key": crypto.randomUUID(), ...headers } };
  for (const delayMs of [...retryDelaysMs, undefined]) {
    try {
      const response = await requestRoute(route, keyed);
      const text = await response.text();
      return (text === "" ? undefined : JSON.parse(text)) as ApiResponse<Route>;
    } catch (error) {
      const isLost =
        error instanceof ApiProblem && ["offline", "idempotency_in_flight"].includes(error.code);
      if (!isLost || delayMs === undefined || rest.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  throw new Error("unreachable");
}

/** The response of a route that is not read as JSON, or only later. Throws `ApiProblem`. */
function fetchRoute<Route extends ApiRoute>(
  route: Route,
  ...[request]: ApiArguments<Route, Options>
): Promise<Response> {
  return requestRoute(route, request);
}
