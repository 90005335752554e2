import type { ErrorDetail, Problem } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** A problem response of the service (RFC 9457); `code` is stable. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: Problem["code"] | "offline" | "unknown";
  readonly errors: readonly ErrorDetail[];
  readonly missing: NonNullable<Problem["missing"]>;
  readonly requestId: string | undefined;
  /** Where a change is reviewed, because of which a run was refused. */
  readonly reviewUrl: string | undefined;

  constructor(
    status: number,
    problem: Partial<Omit<Problem, "code">> & { code: ApiProblem["code"] },
  ) {
    super(problem.detail ?? problem.title ?? messages.unexpectedResponse);
    this.name = "ApiProblem";
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.missing = problem.missing ?? [];
    this.requestId = problem.requestId;
    this.reviewUrl = problem.reviewUrl;
  }
}

/** The text to show for an error, with names in quotation marks instead of Markdown's backticks. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiProblem) return error.message.replaceAll(/`([^`]*)`/g, "“$1”");
  return error instanceof Error ? error.message : messages.unknown;
}

/** The 4xx statuses that are worth a retry. */
const retryable: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the service rejected the request in a way that a retry will not change. */
export function isPermanentError(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || retryable.has(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** Whether the service did not respond, or only a proxy in front of it did. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.code === "offline" || (error.code === "unknown" && error.status >= 502);
}

/** Reads an error response. One that is not the service's own, such as a proxy's page, gets the code `unknown`. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const isProblem = response.headers.get("content-type")?.includes("json") ?? false;
  const body: unknown = isProblem ? await response.json().catch(() => undefined) : undefined;
  if (typeof body === "object" && body !== null && "code" in body) {
    return new ApiProblem(response.status, body as Problem);
  }
  const detail =
    response.status >= 500 ? messages.unavailable : messages.unexpectedStatus(response.status);
  return new ApiProblem(response.status, { code: "unknown", detail });
}
