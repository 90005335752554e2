import type { ApiArguments, ApiResponse, ApiRoute } from "@toolhost/contract/api";

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; text: string; body: unknown }>;

type AnyRequest = {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

/**
 * Calls a route and returns its response body, with the types of both. Throws for a status other than 2xx; a test of a refusal
 * uses `call`.
 */
export type ApiCall = <Route extends ApiRoute>(
  route: Route,
  ...request: ApiArguments<Route, Pick<AnyRequest, "headers">>
) => Promise<ApiResponse<Route>>;

/** The typed form of a `call`. */
export function createApiCall(call: Call): ApiCall {
  return async <Route extends ApiRoute>(
    route: Route,
    ...[request]: ApiArguments<Route, Pick<AnyRequest, "headers">>
  ) => {
    const { params = {}, query = {}, body, headers }: AnyRequest = request ?? {};
    const [method = "", template = ""] = route.split(" ");
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(params[name])),
    );
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        (typeof value === "object" ? value : [value])
          .filter((one) => one !== undefined)
          .map((one) => [name, String(one)]),
      ),
    );
    const response = await call(
      method,
      search.size > 0 ? `${path}?${search.toString()}` : path,
      body,
      headers,
    );
    if (response.status < 200 || response.status > 299) {
      throw new Error(`${route} returned ${response.status}: ${response.text.slice(0, 2_000)}`);
    }
    return response.body as ApiResponse<Route>;
  };
}
