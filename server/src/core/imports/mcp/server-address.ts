/** The host of a server as `allowedHosts` of a tool names it. Undefined if the URL cannot be the address of a server. */
export function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return undefined;
  if (parsed.protocol === "https:") return parsed.host;
  return parsed.protocol === "http:" ? `http://${parsed.host}` : undefined;
}

/** Headers with names in lower case, so that each is sent once. */
export function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
