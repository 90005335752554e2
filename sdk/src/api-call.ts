import type { Api, Problem } from "./api.ts";

/** A route as its method and path: `GET /tools/{name}`. */
export type ApiRoute = keyof Api;

/** The request of a route: the `params` of its path, `query` and `body`, as far as the route has them. */
export type ApiRequest<Route extends ApiRoute> = Omit<Api[Route], "response">;

/** Arguments of a call: the request may be left out where nothing in it is required. */
export type ApiArguments<Route extends ApiRoute, Options> =
  Partial<ApiRequest<Route>> extends ApiRequest<Route>
    ? [request?: ApiRequest<Route> & Options]
    : [request: ApiRequest<Route> & Options];

/** The response body of a route; undefined if it has none. */
export type ApiResponse<Route extends ApiRoute> = Api[Route] extends { response: infer Body }
  ? Body
  : undefined;

/** The path of a list with pages: `/runs`. */
export type PagedPath = {
  [Route in ApiRoute]: Route extends `GET ${infer Path}`
    ? Api[Route] extends { query?: { cursor?: string } }
      ? "cursor" extends keyof NonNullable<Api[Route]["query"]>
        ? Path
        : never
      : never
    : never;
}[ApiRoute];

/** An item of a list with pages. */
export type ApiItem<Path extends PagedPath> =
  ApiResponse<`GET ${Path}`> extends readonly (infer Item)[] ? Item : never;

/** A stable code of an error response. */
export type ErrorCode = Problem["code"];
