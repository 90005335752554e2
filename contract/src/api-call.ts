import type { Api } from "./api.ts";

export type { Api };

/** A route as its method and path: `GET /tools/{name}`. */
export type ApiRoute = keyof Api;

/** Paths of the routes with a method. */
export type PathOf<Method extends string> = ApiRoute extends infer Route
  ? Route extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

/** The route of a method and a path. */
export type RouteOf<Method extends string, Path extends string> = Extract<
  ApiRoute,
  `${Method} ${Path}`
>;

/** The request of a route: the `params` of its path, `query` and `body`, as far as the route has them. */
export type ApiRequest<Route extends ApiRoute> = Omit<Api[Route], "response">;

/** Arguments of a function that calls a route: the request may be left out where nothing in it is required. */
export type ApiArguments<Route extends ApiRoute, Options = unknown> =
  Partial<ApiRequest<Route>> extends ApiRequest<Route>
    ? [request?: ApiRequest<Route> & Options]
    : [request: ApiRequest<Route> & Options];

/** The response body of a route. */
export type ApiResponse<Route extends ApiRoute> = Api[Route]["response"];

/** Paths of the lists that are paged. */
export type PagedPath = {
  [Path in PathOf<"GET">]: Api[RouteOf<"GET", Path>] extends { query?: infer Query }
    ? "cursor" extends keyof Query
      ? Path
      : never
    : never;
}[PathOf<"GET">];

/** An item of a paged list. */
export type ApiItem<Path extends PagedPath> = ApiResponse<RouteOf<"GET", Path>>[number];
