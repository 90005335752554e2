import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi";
import { OutboundError } from "@toolhost/sandbox";
import { ServiceError } from "#core/kernel";

/**
 * Why a provider gave no token: `denied` by the person, `refused` by the provider with an OAuth error code,
 * `forbidden` by our own rules, or `unreachable`, which may succeed later.
 */
export type ProviderFailure = "denied" | "refused" | "forbidden" | "unreachable";

/** The message has only hosts and codes: everything else that a provider sends may be hostile. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly failure: ProviderFailure;
  /** The OAuth error code, such as `invalid_grant`. */
  readonly code: string | undefined;

  constructor(failure: ProviderFailure, message: string, code?: string) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

/**
 * Converts an error of the OAuth library or of the request. It never becomes the `cause`, because the library's errors
 * contain the response, and with it tokens. `provider` is the name for the message.
 */
export function toProviderError(error: unknown, provider: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof OutboundError) {
    return new ProviderError(error.isDenied ? "forbidden" : "unreachable", `${error.message}.`);
  }
  if (error instanceof AuthorizationResponseError && error.error === "access_denied") {
    const message = `You cancelled in ${provider}; nothing was connected.`;
    return new ProviderError("denied", message, error.error);
  }
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const code = plainCode(error.error);
    return new ProviderError("refused", `${provider} refused the request: ${code}.`, code);
  }
  return new ProviderError("unreachable", `${provider} sent an invalid OAuth 2.0 response.`);
}

export function toServiceError({ failure, message }: ProviderError): ServiceError {
  return failure === "unreachable"
    ? new ServiceError("unavailable", message, { retryAfterSeconds: 5 })
    : new ServiceError("connection_failed", message);
}

/** The code of another server, which is shown only if it looks like one. */
export function plainCode(code: string): string {
  return /^[a-z0-9_]{1,60}$/.test(code) ? code : "an unknown error code";
}
