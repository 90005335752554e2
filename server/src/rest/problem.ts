import { errorCodes } from "@toolhost/contract";
import type { Problem } from "@toolhost/contract";
import type { StoredResponse, ServiceError } from "#core/kernel";
import { toResponse } from "./response.ts";

/** The RFC 9457 problem details for an error. This is the only place where REST maps error codes to statuses and headers. */
export function toProblem(error: ServiceError, requestId: string): StoredResponse {
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
  const headers: Record<string, string> = {
    ...error.headers,
    "content-type": "application/problem+json",
    "x-request-id": requestId,
  };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (error.code === "insufficient_scope") {
    // RFC 6750, section 3.1: the scope that the client has to request.
    const scope = error.extra?.["requiredScope"];
    const wanted = typeof scope === "string" ? `, scope="${scope}"` : "";
    headers["www-authenticate"] = `Bearer error="insufficient_scope"${wanted}`;
  }
  if (error.retryAfterSeconds !== undefined) {
    headers["retry-after"] = String(error.retryAfterSeconds);
  }
  return { status, headers, body: JSON.stringify({ ...body, ...error.extra }) };
}

/** The response for an error. */
export function toProblemResponse(error: ServiceError, requestId: string): Response {
  return toResponse(toProblem(error, requestId));
}
