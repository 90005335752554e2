const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const maxAddressLength = 2_000;

/** The characters of a URI (RFC 3986, section 2): no space, control character, backslash or quote. */
const uriCharacters = /^[!#$%&'()*+,\-./:;=?@A-Z[\]_a-z~0-9]+$/;

/** A domain name in reverse order (RFC 8252, section 7.1): `com.example.app`. The first label is a top-level domain. */
const reverseDomain = /^[a-z]{2,}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Schemes that look like reversed domain names and belong to operating systems or to other protocols. */
const systemSchemes =
  /^(?:android|iris|microsoft|soap|windows|xmlrpc|com\.(?:android|apple|microsoft))(?:\.|$)/;

/**
 * Returns why a redirect URI is not allowed; undefined if it is. Only https URLs, http URLs of the user's own machine
 * and schemes that belong to one program are safe, because any other scheme starts whichever program handles it on the
 * user's machine. `schemes` are private schemes without a dot that the operator allows.
 */
export function redirectProblem(address: unknown, schemes: readonly string[]): string | undefined {
  if (typeof address !== "string") return "must be text";
  if (address.length > maxAddressLength) return `has more than ${maxAddressLength} characters`;
  const url = URL.parse(address);
  if (url === null || !uriCharacters.test(address)) return "is not a valid URI";
  if (address.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not contain a user name";
  if (url.protocol === "https:" || url.protocol === "http:") return webProblem(address, url);
  return privateProblem(address, url, schemes);
}

/** Whether a page may link to an address: only https URLs. */
export function isWebAddress(address: unknown): boolean {
  return (
    typeof address === "string" &&
    URL.parse(address)?.protocol === "https:" &&
    redirectProblem(address.replace(/#.*$/s, ""), []) === undefined
  );
}

/** Whether a redirect URI opens a program on the user's machine. */
export function isNativeAddress(address: string): boolean {
  const url = URL.parse(address);
  return url === null || url.protocol !== "https:" || loopbackHosts.has(url.hostname);
}

function webProblem(address: string, { protocol, hostname }: URL): string | undefined {
  // Parsers normalize other spellings of a host in different ways.
  if (!address.toLowerCase().startsWith(`${protocol}//${hostname}`)) {
    return "must contain its host in the usual form";
  }
  return protocol === "https:" || loopbackHosts.has(hostname)
    ? undefined
    : "must use https, unless it is a loopback address";
}

function privateProblem(
  address: string,
  { protocol, search }: URL,
  schemes: readonly string[],
): string | undefined {
  const scheme = protocol.slice(0, -1);
  const rest = address.slice(protocol.length);
  if (schemes.includes(scheme)) {
    // Some programs execute commands in the query of their URLs, such as an installation.
    return rest.startsWith("//") && search === ""
      ? undefined
      : `must have the form ${scheme}://… and no query`;
  }
  const isReverseDomain = reverseDomain.test(scheme) && !systemSchemes.test(scheme);
  // Without the slash, the scheme could also be a host with a port.
  if (isReverseDomain && rest.startsWith("/")) return undefined;
  return "must use https, http to a loopback address, or a private scheme such as com.example.app:/callback";
}
