/** The host of an HTTP or HTTPS URL as credentials and tools declare it. */
export function declaredHostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === "http:" ? `http://${host}` : host;
}
