import type { Problem, Run, RunError } from "./api.ts";
import type { ErrorCode } from "./api-call.ts";
import type { FetchResponse } from "./fetch.ts";

/** The base of all errors that this package throws. */
export class ToolhostError extends Error {
  override name = "ToolhostError";
}

/** An error response of the service. `code` is stable; `unknown` is a response of something else, such as a proxy. */
export class ApiError<
  Code extends ErrorCode | "unknown" = ErrorCode | "unknown",
> extends ToolhostError {
  override name = "ApiError";
  readonly status: number;
  readonly code: Code;
  /** What happened and how to fix it. */
  readonly detail: string;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Problems in the request. `path` is a JSON pointer to the field. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** For `credentials_missing`: the credentials, each with the page where a person can connect it. */
  readonly missing: NonNullable<Problem["missing"]>;
  /** How long to wait before another attempt. */
  readonly retryAfterMs: number | undefined;
  /** The whole response body, if it is one of the service. */
  readonly problem: Problem | undefined;

  constructor(response: Pick<FetchResponse, "status" | "headers">, problem: Problem | undefined) {
    const detail = problem?.detail ?? `Unexpected response with status ${response.status}.`;
    super(detail);
    this.detail = detail;
    this.status = response.status;
    this.code = (problem?.code ?? "unknown") as Code;
    this.requestId = problem?.requestId ?? response.headers.get("x-request-id") ?? undefined;
    this.errors = problem?.errors ?? [];
    this.missing = problem?.missing ?? [];
    this.retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
    this.problem = problem;
  }
}

/** The tool failed, or the run was cancelled. */
export class RunFailedError extends ToolhostError {
  override name = "RunFailedError";
  readonly code: RunError["code"] | "cancelled";
  readonly runId: string;
  readonly run: FailedRun;

  constructor(run: FailedRun) {
    super(run.error?.message ?? "The run was cancelled.");
    this.code = run.error?.code ?? "cancelled";
    this.runId = run.runId;
    this.run = run;
  }
}

type FailedRun = Pick<Run, "runId" | "status" | "toolUrl" | "error">;

/** No response, or only a part of it, arrived after all attempts. The work may have been done. */
export class ConnectionError extends ToolhostError {
  override name = "ConnectionError";
}

/** The time that the caller set is over. A run that was started continues; `runId` is its ID if it is known. */
export class TimeoutError extends ToolhostError {
  override name = "TimeoutError";
  readonly runId: string | undefined;

  constructor(
    message: string,
    { runId, cause }: { runId?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.runId = runId;
  }
}

/** Whether an error is a response of the service, with one of the codes if any are given. */
export function isApiError<Code extends ErrorCode | "unknown" = ErrorCode | "unknown">(
  error: unknown,
  ...codes: Code[]
): error is ApiError<Code> {
  if (!(error instanceof ApiError)) return false;
  return codes.length === 0 || codes.some((code) => code === error.code);
}

/** The error for a response that is not a success. */
export async function readApiError(response: FetchResponse): Promise<ApiError> {
  const isJson = /^application\/(?:problem\+)?json\b/.test(
    response.headers.get("content-type") ?? "",
  );
  const body: unknown = isJson ? await response.json().catch(() => undefined) : undefined;
  if (!isJson) await response.body?.cancel().catch(() => undefined);
  return new ApiError(response, isProblem(body) ? body : undefined);
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== "object" || body === null) return false;
  return "code" in body && typeof body.code === "string";
}

/** Seconds or a date (RFC 9110, section 10.2.3), as milliseconds from now. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
