import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi";
import { OutboundError } from "@toolhost/sandbox";

/**
 * Why a provider gave nothing: `denied` by a person, `refused` by the provider with a code of OAuth,
 * `forbidden` by our own rules, or `unreachable`, which another time may end otherwise.
 */
export type ProviderFailure = "denied" | "refused" | "forbidden" | "unreachable";

/** The message names hosts and codes and nothing else of what a provider said, which may be hostile. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly failure: ProviderFailure;
  /** The provider's code, such as `invalid_grant`. */
  readonly code: string | undefined;

  constructor(failure: ProviderFailure, message: string, code?: string) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

/**
 * What the library threw, in our words. Never kept as the cause: its errors carry the answers that they are
 * about, and so tokens.
 */
export function toProviderError(error: unknown, url: string): ProviderError {
  if (error instanceof ProviderError) return error;
  const { host } = new URL(url);
  if (error instanceof OutboundError) {
    return new ProviderError(error.isDenied ? "forbidden" : "unreachable", `${error.message}.`);
  }
  if (error instanceof ResponseBodyError) {
    const code = plainCode(error.error);
    return new ProviderError("refused", `${host} refused it: ${code}.`, code);
  }
  if (error instanceof AuthorizationResponseError) {
    const code = plainCode(error.error);
    const isDenied = code === "access_denied";
    const message = isDenied ? `${host} says that you declined.` : `${host} refused it: ${code}.`;
    return new ProviderError(isDenied ? "denied" : "refused", message, code);
  }
  return new ProviderError("unreachable", `${host} gave an answer that is not one of OAuth 2.`);
}

/** A code is shown only if it reads like one. */
function plainCode(code: string): string {
  return /^[a-z0-9_]{1,60}$/.test(code) ? code : "an error without a known code";
}
