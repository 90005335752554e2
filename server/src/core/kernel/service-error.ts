import type { ErrorCode, ErrorDetail } from "@toolhost/contract";

type Options = {
  cause?: unknown;
  /** What is wrong, place by place. */
  errors?: readonly ErrorDetail[];
  /** For what may work later: after how many seconds to try again. */
  retryAfterSeconds?: number;
  /** Headers of the answer, by lower-case name. */
  headers?: Readonly<Record<string, string>>;
  /** Members of the problem document beyond the common ones. */
  extra?: Readonly<Record<string, unknown>>;
};

/** A refusal that the caller is to be told of. Its message is shown, so it must hold nothing secret. */
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
