import type {
  ApiArguments,
  ApiItem,
  ApiRequest,
  ApiResponse,
  ApiRoute,
  PagedPath,
} from "./api-call.ts";
import type { SearchResults, Tool, ToolDetail } from "./api.ts";
import { createFiles } from "./files.ts";
import type { Files } from "./files.ts";
import { createHttp, readJson } from "./http.ts";
import type { AnyRequest, CallOptions } from "./http.ts";
import { listItems } from "./list.ts";
import { resolveOptions } from "./options.ts";
import type { ClientOptions } from "./options.ts";
import { runTool } from "./run-tool.ts";
import type { RunOptions } from "./run-tool.ts";
import { createRuns } from "./runs.ts";
import type { Runs } from "./runs.ts";
import { watchBody } from "./watch-silence.ts";

/** A client of one service. It has no state but its options, so it can be shared. */
export type Client = {
  /** The address of the service, which ends with a slash. */
  readonly baseUrl: string;
  /**
   * Runs a tool until its end and returns its output. `Blob`s in the input are uploaded first. Throws `RunFailedError` if the
   * tool fails or the run is cancelled, and `ApiError` if it cannot start.
   */
  run<Output = Record<string, unknown>>(
    toolName: string,
    input?: unknown,
    options?: RunOptions,
  ): Promise<Output>;
  readonly runs: Runs;
  readonly files: Files;
  readonly tools: Tools;
  /**
   * Calls any route of the REST API and returns the body of its response:
   * `client.request("DELETE /credentials/{name}", { params: { name } })`.
   */
  request<Route extends ApiRoute>(
    route: Route,
    ...request: ApiArguments<Route, CallOptions>
  ): Promise<ApiResponse<Route>>;
  /** The same, for a response that is not JSON. Its body ends with `ConnectionError` if no data arrives for `requestTimeoutMs`. */
  fetch<Route extends ApiRoute>(
    route: Route,
    ...request: ApiArguments<Route, CallOptions>
  ): Promise<Response>;
  /** The items of all pages of a list, requested as they are consumed: `for await (const run of client.list("/runs"))`. */
  list<Path extends PagedPath>(
    path: Path,
    ...request: ApiArguments<`GET ${Path}`, CallOptions>
  ): AsyncGenerator<ApiItem<Path>, void, undefined>;
};

/** Calls about tools. */
export type Tools = {
  get(name: string, options?: CallOptions): Promise<ToolDetail>;
  /** All tools that you may run. */
  list(
    query?: NonNullable<ApiRequest<"GET /tools">["query"]>,
    options?: CallOptions,
  ): AsyncGenerator<Tool, void, undefined>;
  /** The tools that do what a text says, best first. */
  search(
    text: string,
    options?: CallOptions & { limit?: number | undefined },
  ): Promise<SearchResults["results"][number]["matches"]>;
};

/** Creates a client. Throws `ToolhostError` if there is no address of a service. */
export function createClient(options: ClientOptions = {}): Client {
  const settings = resolveOptions(options);
  const http = createHttp(settings);
  const files = createFiles(http);
  const runs = createRuns(http, settings);
  return {
    baseUrl: settings.baseUrl.href,
    run: async <Output>(toolName: string, input: unknown = {}, runOptions?: RunOptions) =>
      (await runTool({ runs, files }, toolName, input, runOptions)) as Output,
    runs,
    files,
    tools: {
      get: (name, call) =>
        http("GET /tools/{name}", { ...call, params: { name } }, readJson<ToolDetail>),
      list: (query, call) => listItems<Tool>(http, "/tools", { ...call, query }),
      search: async (text, { limit, ...call } = {}) => {
        const request = { ...call, query: { q: text, limit } };
        const { results } = await http("GET /skills/search", request, readJson<SearchResults>);
        return results[0]?.matches ?? [];
      },
    },
    request: async <Route extends ApiRoute>(
      route: Route,
      ...[request]: ApiArguments<Route, CallOptions>
    ) => http(route, (request ?? {}) as AnyRequest, readJson<ApiResponse<Route>>),
    fetch: (route, ...[request]) =>
      http(
        route,
        { headers: { accept: "*/*" }, ...(request as AnyRequest | undefined) },
        watchBody,
      ),
    list: <Path extends PagedPath>(
      path: Path,
      ...[request]: ApiArguments<`GET ${Path}`, CallOptions>
    ) => listItems<ApiItem<Path>>(http, path, request),
  };
}
