import type { ErrorDetail, Problem } from "@toolhost/contract";

/** A refusal of the service, in its own words (RFC 9457); `code` is stable. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: Problem["code"] | "offline" | "unknown";
  readonly errors: readonly ErrorDetail[];
  readonly missing: NonNullable<Problem["missing"]>;
  readonly requestId: string | undefined;

  constructor(
    status: number,
    problem: Partial<Omit<Problem, "code">> & { code: ApiProblem["code"] },
  ) {
    super(problem.detail ?? problem.title ?? "The service did not answer as expected.");
    this.name = "ApiProblem";
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.missing = problem.missing ?? [];
    this.requestId = problem.requestId;
  }
}

/** What people are told of an error. Whatever is not the service's refusal is a fault of the console. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  return error instanceof Error ? error.message : "Something went wrong.";
}

/** Answers of 4xx that say "later" and not "no". */
const later: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the service said no in a way that asking again will not change. */
export function isPermanentError(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || later.has(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** Whether the service was not there to answer, or only something that stands before it. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.code === "offline" || (error.code === "unknown" && error.status >= 502);
}

/** Reads a refusal; an answer that is not one of the service's own (a proxy's page) is said to be unknown. */
export async function readProblem(answer: Response): Promise<ApiProblem> {
  const isProblem = answer.headers.get("content-type")?.includes("json") ?? false;
  const body: unknown = isProblem ? await answer.json().catch(() => undefined) : undefined;
  if (typeof body === "object" && body !== null && "code" in body) {
    return new ApiProblem(answer.status, body as Problem);
  }
  const detail =
    answer.status >= 500
      ? "The service does not answer just now. Try again in a moment."
      : `The service answered ${answer.status}.`;
  return new ApiProblem(answer.status, { code: "unknown", detail });
}
