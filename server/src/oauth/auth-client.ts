import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { handleAuthRequest } from "#core/identity";

/** A request for one of the pages. */
export type PageRequest = { request: Request; origin: RequestOrigin };

/**
 * Calls the sign-in library on behalf of the browser that sent the request, with its cookies. Throws `rate_limited`,
 * and an error for a server error of the library.
 */
export async function callAuth(
  context: Context,
  { request, origin }: PageRequest,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { baseUrl } = context.config;
  const headers = new Headers({ origin: baseUrl });
  for (const name of ["cookie", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (body !== undefined) headers.set("content-type", "application/json");
  const authRequest = new Request(`${baseUrl}/api/auth${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handleAuthRequest(context, authRequest, origin);
  if (response.status >= 500) throw new Error(`Sign-in returned ${response.status} for ${path}`);
  return response;
}

/** Like `callAuth`, but returns the message of a rate limit, so that the page can show its form again. */
export async function callAuthWithinLimit(
  ...args: Parameters<typeof callAuth>
): Promise<{ response: Response; problem?: never } | { problem: string; response?: never }> {
  try {
    return { response: await callAuth(...args) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "rate_limited") {
      return { problem: error.message };
    }
    throw error;
  }
}

/** Redirects with 303 and passes on the cookies that `responses` set. */
export function redirectTo(location: string, ...responses: readonly Response[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of responses.flatMap((response) => response.headers.getSetCookie())) {
    headers.append("set-cookie", cookie);
  }
  return new Response(null, { status: 303, headers });
}

/** The error code in a response of the sign-in library; empty if it has none. */
export async function errorCodeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const code: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "code") : "";
  return typeof code === "string" ? code : "";
}

/** The path of the console's first page in one workspace, whichever workspace the browser used before. */
export function workspacePath(id: string): string {
  return `/?workspace=${encodeURIComponent(id)}`;
}

/** `given` if it is a path of this server, or "/": a crafted link must not redirect to another site. */
export function localPath({ config }: Context, given: string | null): string {
  const url = given === null ? null : URL.parse(given, config.baseUrl);
  if (url === null || url.origin !== new URL(config.baseUrl).origin) return "/";
  // Without the origin, "//host" would be a URL of another host.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search;
}
