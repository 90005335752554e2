/** A command that cannot be read. The message is for its user, and contains nothing that may be a secret. */
export class CurlError extends Error {
  override name = "CurlError";
}
