/** What a server says in the `Bearer` challenge of `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1). */
export type BearerChallenge = {
  error: string | undefined;
  scopes: readonly string[];
  resourceMetadata: string | undefined;
};

const maxLength = 8_192;
const maxScopes = 100;
const scheme = /(?:^|,)[ \t]*Bearer(?=[ \t]|$)/i;
const quotedText = /"(?:[^"\\]|\\.)*(?:"|$)/g;
/** One `name=value` with its comma. Sticky, so that it stops at the next scheme. */
const parameter =
  /[ \t,]*(?<name>[!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^\s",]+))/y;

/** Parses the first `Bearer` challenge of a header; undefined if it has none. */
export function parseBearerChallenge(header: string | undefined): BearerChallenge | undefined {
  const text = header?.slice(0, maxLength) ?? "";
  // Quoted texts of other challenges may contain anything.
  const start = scheme.exec(text.replaceAll(quotedText, (quoted) => "_".repeat(quoted.length)));
  if (start === null) return undefined;
  const found = new Map<string, string>();
  parameter.lastIndex = start.index + start[0].length;
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    const { name = "", quoted, token = "" } = match.groups ?? {};
    found.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? token);
  }
  return {
    error: found.get("error"),
    scopes: validScopes((found.get("scope") ?? "").split(" ")),
    resourceMetadata: found.get("resource_metadata"),
  };
}

/** The values that are scopes (RFC 6749, section 3.3), each once. */
export function validScopes(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  const scopes = values.filter(
    (value): value is string =>
      typeof value === "string" && /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(value),
  );
  return [...new Set(scopes)].slice(0, maxScopes);
}
