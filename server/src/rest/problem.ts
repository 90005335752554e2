import { errorCodes } from "@toolhost/contract";
import type { Problem } from "@toolhost/contract";
import type { ServiceError } from "#core/errors";

/**
 * A refusal as RFC 9457 problem details. The one place where REST turns error codes into status codes
 * and headers.
 */
export function toProblemResponse(error: ServiceError, requestId: string): Response {
  const { status, title } = errorCodes[error.code];
  const body: Problem = {
    type: "about:blank",
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (status === 401) headers.set("www-authenticate", "Bearer");
  if (error.code === "insufficient_scope") {
    // RFC 6750, section 3.1: tells a client what to ask for.
    const scope = error.extra?.["requiredScope"];
    const wanted = typeof scope === "string" ? `, scope="${scope}"` : "";
    headers.set("www-authenticate", `Bearer error="insufficient_scope"${wanted}`);
  }
  if (error.retryAfterSeconds !== undefined) {
    headers.set("retry-after", String(error.retryAfterSeconds));
  }
  return new Response(JSON.stringify({ ...body, ...error.extra }), { status, headers });
}
