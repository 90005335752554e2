import type { Context as HonoContext } from "hono";
import { generateCookie, getCookie, setCookie } from "hono/cookie";
import type { Context } from "#core/context";
import { cookieSuffixOf } from "#core/oauth-client";
import type { AuthorizationRedirect, Callback, Visit } from "#core/oauth-client";
import type { AppEnv } from "#rest";

type RouteContext = HonoContext<AppEnv>;

const cookieSeconds = 600;

/** Redirects a browser to an OAuth provider, and stores its secret as a cookie for the callback. */
export function redirectToProvider(
  context: Context,
  c: RouteContext,
  { location, browserSecret, cookieSuffix }: AuthorizationRedirect,
): Response {
  const { name, options } = cookieOf(context, cookieSuffix);
  setCookie(c, name, browserSecret, { ...options, maxAge: cookieSeconds });
  // The provider must not learn the ticket.
  c.header("referrer-policy", "no-referrer");
  c.header("cache-control", "no-store");
  return c.redirect(location, 302);
}

/** The callback that a browser sends, and the header that deletes its cookie once the callback has succeeded. */
export function readCallback(
  context: Context,
  c: RouteContext,
): { callback: Callback; headers: { "set-cookie": string } } {
  const { searchParams: parameters } = new URL(c.req.url);
  const { name, options } = cookieOf(context, cookieSuffixOf(parameters.get("state") ?? ""));
  return {
    callback: { ...visitOf(c), parameters, browserSecret: getCookie(c, name) },
    headers: { "set-cookie": generateCookie(name, "", { ...options, maxAge: 0 }) },
  };
}

export function visitOf(c: RouteContext): Visit {
  return { headers: c.req.raw.headers, origin: c.get("origin") };
}

/** With https, the prefix prevents other hosts of the domain from setting the cookie. */
function cookieOf({ config }: Context, suffix: string) {
  const secure = config.baseUrl.startsWith("https://");
  const options = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  return { name: `${secure ? "__Host-" : ""}toolhost_connect_${suffix}`, options };
}
