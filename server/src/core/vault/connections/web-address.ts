const maxLength = 2_000;

/** Whether a value from another server is an HTTP or HTTPS URL without a user and a fragment. */
export function isWebAddress(value: unknown): value is string {
  if (typeof value !== "string" || value.length > maxLength) return false;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return url.username === "" && url.password === "" && url.hash === "";
}
