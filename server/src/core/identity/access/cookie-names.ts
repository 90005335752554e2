/**
 * How the names of cookies start. Browsers send cookies to all ports of a host, so services on other ports of it need other
 * names.
 */
export function cookiePrefixOf(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return port === "" ? "toolhost" : `toolhost-${port}`;
}

/** The name of the cookie with a user's session. The sign-in library adds `__Secure-` with HTTPS. */
export function sessionCookieOf(baseUrl: string): string {
  const secure = baseUrl.startsWith("https://") ? "__Secure-" : "";
  return `${secure}${cookiePrefixOf(baseUrl)}.session_token`;
}
