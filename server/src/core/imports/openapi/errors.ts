/** Why a document as a whole cannot be read, or a tool cannot be made. */
export type OpenApiErrorCode =
  | "too_large"
  | "invalid_syntax"
  | "unsupported_format"
  | "too_complex"
  | "invalid_options"
  | "server_missing"
  | "busy";

/** The message says what is wrong with the document or the request, and what to do. It is safe to show. */
export class OpenApiError extends Error {
  override name = "OpenApiError";
  readonly code: OpenApiErrorCode;
  /** Only for `busy`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: OpenApiErrorCode, message: string, retryAfterSeconds?: number) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
