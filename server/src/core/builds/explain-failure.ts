import { ServiceError } from "#core/kernel";
import { RegistryError } from "./registry-error.ts";
import { RefusedError, refusePackages } from "./worker/messages.ts";

export type BuildOutcome = "built" | "refused" | "unavailable" | "cancelled" | "failed";

type Circumstances = {
  /** Aborted when the result of the build is no longer needed. */
  leaving: AbortSignal;
  timeoutMs: number;
};

/** The error for the requester of a failed build, and its outcome in metrics. */
export function explainFailure(
  error: unknown,
  { leaving, timeoutMs }: Circumstances,
): { error: unknown; outcome: BuildOutcome } {
  if (leaving.aborted) {
    const { reason } = leaving as { reason: unknown };
    const shown =
      reason instanceof ServiceError ? reason : unavailable("The request was cancelled.");
    return { error: shown, outcome: "cancelled" };
  }
  if (error instanceof ServiceError) return { error, outcome: "unavailable" };
  if (error instanceof RefusedError) return { error: toServiceError(error), outcome: "refused" };
  if (error instanceof RegistryError) {
    if (error.kind !== "unavailable") {
      return { error: toServiceError(refusePackages(error.message)), outcome: "refused" };
    }
    const message = `${error.message} Retry in 30 seconds.`;
    return { error: unavailable(message, error), outcome: "unavailable" };
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const message = `The tool was not built within ${timeoutMs} ms.`;
    const refused = new RefusedError([{ path: "/source", message }]);
    return { error: toServiceError(refused), outcome: "refused" };
  }
  return { error, outcome: "failed" };
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", message, { retryAfterSeconds: 30, cause });
}

/** Uses the first problem, with its location, as the message. */
export function toServiceError({ problems }: RefusedError): ServiceError {
  const [first] = problems;
  const { file, line, column } = first ?? {};
  const hasLocation = file !== undefined && file !== "package.json";
  const location = hasLocation ? `${file}:${line}:${column}: ` : "";
  const message = `${location}${first?.message ?? "The tool could not be built"}`;
  return new ServiceError("invalid_tool", message, { errors: problems });
}
