import { findResponse, ServiceError } from "#core/kernel";
import type { StoredResponse, KeyedRequest } from "#core/kernel";
import type { RunsContext } from "../context.ts";
import { expandHeaders } from "../replay-headers.ts";
import { findRun } from "../run-store.ts";
import { resultAsJson, runLocation } from "./present-run.ts";

/**
 * The stored response for an Idempotency-Key, as `findResponse`. When the response is a run's end, its body is made from the run's
 * row, byte for byte as before. Throws `run_not_found` when the run was deleted, since its key must not create another run.
 */
export async function findRunResponse(
  context: RunsContext,
  request: KeyedRequest,
): Promise<StoredResponse | undefined> {
  const stored = await findResponse(context, request);
  if (stored === undefined || !("runId" in stored)) return stored;
  const { runId, body, ...rest } = stored;
  const response = { ...rest, headers: { ...rest.headers, location: runLocation(runId) } };
  if (!body.startsWith('"')) return { ...response, body };
  const row = await findRun(context.db, request, runId);
  if (row === undefined) {
    throw new ServiceError(
      "run_not_found",
      `Run ${runId} of this Idempotency-Key was deleted. Send a new key to run the tool again.`,
      { extra: { runId } },
    );
  }
  // The tool's URL is stored, since the service may have had another base URL then.
  const headers = expandHeaders(response.headers, row.request_id);
  return { ...response, headers, body: resultAsJson(row, JSON.parse(body) as string) };
}
