import type { RunsContext } from "./context.ts";
import { findResponse, ServiceError } from "#core/kernel";
import type { StoredResponse, KeyedRequest } from "#core/kernel";
import { findRun } from "./run-store.ts";
import { resultAsJson } from "./run.ts";

/**
 * As `findResponse`; when the answer is a run's end, its body comes from the run's row, in the same bytes as before.
 * Throws `run_not_found` when the run was deleted, since its key must not run anything again.
 */
export async function recallRunAnswer(
  context: RunsContext,
  request: KeyedRequest,
): Promise<StoredResponse | undefined> {
  const kept = await findResponse(context, request);
  if (kept === undefined || !("runId" in kept)) return kept;
  const { runId, body, ...answer } = kept;
  const row = await findRun(context.db, request, runId);
  if (row === undefined) {
    throw new ServiceError(
      "run_not_found",
      "The run of this Idempotency-Key was deleted. Send a new key to run the tool again.",
      { extra: { runId } },
    );
  }
  // The service may have had another address then.
  return { ...answer, body: resultAsJson(row, JSON.parse(body) as string) };
}
