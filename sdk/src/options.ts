import { ToolhostError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";

/** Returns the key for a request. `rejected` is a key that the service has just rejected; return another one or the same. */
export type ApiKeySource = (rejected: string | undefined) => string | Promise<string>;

/** How to reach a service. */
export type ClientOptions = {
  /** The address of the service. Default: `TOOLHOST_URL`, where the environment can be read. */
  baseUrl?: string | URL | undefined;
  /**
   * An API key or access token, or a function that returns one for each request. Default: `TOOLHOST_API_KEY`. Without one, a
   * browser sends its session cookie to its own origin.
   */
  apiKey?: string | ApiKeySource | undefined;
  /** The workspace to use with a session cookie. A key always belongs to one. */
  workspaceId?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * How often a request is repeated after a lost connection or a response that allows it, and an event stream is opened again
   * without an event in between. Default: 5.
   */
  maxRetries?: number | undefined;
  /**
   * How long one attempt may take, without the time that the service was asked to wait, and how long no data may arrive while
   * the body of a download is read. Default: 60,000.
   */
  requestTimeoutMs?: number | undefined;
};

/** The options with their defaults. */
export type Settings = {
  /** Ends with a slash. */
  baseUrl: URL;
  apiKey: ApiKeySource | undefined;
  headers: Readonly<Record<string, string>>;
  fetch: Fetch;
  maxRetries: number;
  requestTimeoutMs: number;
};

/** Completes the options. Throws `ToolhostError` if the address is missing or invalid. */
export function resolveOptions(options: ClientOptions): Settings {
  const baseUrl = String(options.baseUrl ?? readEnvironment("TOOLHOST_URL") ?? "");
  if (baseUrl === "")
    throw new ToolhostError("Set baseUrl or TOOLHOST_URL to the service's address.");
  const apiKey = options.apiKey ?? readEnvironment("TOOLHOST_API_KEY");
  const { workspaceId } = options;
  return {
    baseUrl: parseBaseUrl(baseUrl),
    apiKey: typeof apiKey === "string" ? () => apiKey : apiKey,
    headers: {
      ...options.headers,
      ...(workspaceId === undefined ? {} : { "x-workspace-id": workspaceId }),
    },
    // The global function is looked up for each request, and called without an object, as browsers require.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    maxRetries: options.maxRetries ?? 5,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ToolhostError('The baseUrl must be an address such as "https://tools.example.com".');
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolhostError("The baseUrl must not contain a user name or password. Set apiKey.");
  }
  url.search = "";
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/`;
  return url;
}

type Environment = { process?: { env?: Record<string, string | undefined> } };

/** A variable of the environment, where there is one. Deno throws if reading it is not permitted. */
function readEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as Environment;
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
