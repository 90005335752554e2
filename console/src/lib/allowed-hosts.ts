/** A URL's host as credentials and tools declare it: HTTPS is the default, `http://` is explicit. Undefined if it is no web URL. */
export function hostToAllow(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  if (protocol === "https:") return host;
  return protocol === "http:" ? `http://${host}` : undefined;
}

/** Whether a list of allowed hosts contains a host, also by a wildcard such as `*.example.com`. */
export function isHostAllowed(hosts: readonly string[], host: string): boolean {
  return hosts.some((entry) => {
    const allowed = hostToAllow(entry.startsWith("http://") ? entry : `https://${entry}`);
    if (allowed === undefined || allowed === host) return allowed === host;
    const [scheme = "", domain] = allowed.split("*.");
    const name = host.slice(scheme.length);
    return (
      domain !== undefined &&
      host.startsWith(scheme) &&
      !name.includes("/") &&
      name.endsWith(`.${domain}`)
    );
  });
}

/** The hosts of a tool, of which some are wildcards, that a credential may not be sent to. */
export function deniedHosts(allowed: readonly string[], hosts: readonly string[]): string[] {
  return hosts.filter((entry) => {
    const host = hostToAllow(entry.startsWith("http://") ? entry : `https://${entry}`);
    return host !== undefined && !isHostAllowed(allowed, host);
  });
}
