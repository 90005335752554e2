/** In the query of a server's URL: the value of the credential is sent there, instead of in a header. */
export const credentialMark = "{credential}";

/** The URL with the value of the credential. */
export function fillUrl(url: string, value: string): string {
  return url.replace(credentialMark, () => encodeURIComponent(value));
}
