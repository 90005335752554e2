/** The token of `Authorization: Bearer`; undefined without it. */
export function bearerToken(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
