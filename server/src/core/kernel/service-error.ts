import type { ErrorCode, ErrorDetail } from "@toolhost/contract";

type Options = {
  cause?: unknown;
  /** The invalid fields. */
  errors?: readonly ErrorDetail[];
  /** When to retry. */
  retryAfterSeconds?: number;
  /** Response headers, with lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** Additional members of the problem document. */
  extra?: Readonly<Record<string, unknown>>;
};

/** An error to report to the caller. Its message is shown, so it must not contain secrets. */
export class ServiceError extends Error {
  override name = "ServiceError";
  readonly code: ErrorCode;
  readonly errors: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.extra = options.extra;
  }
}
