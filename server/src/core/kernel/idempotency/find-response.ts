import type { NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { offlineAfterMs } from "../nodes/heartbeat.ts";
import type { StoredResponse, StoredRunResponse, KeyedRequest } from "./record.ts";
import { deleteRecord, findRecord } from "./record-store.ts";
import type { FoundRecord } from "./record-store.ts";

const inFlightRetrySeconds = 1;

/**
 * Returns the response stored for a request's key, or undefined if the key counts as new. The response of a run's key
 * may be the run's end, which `findRunResponse` of `core/runs` reads. Throws `idempotency_key_reused` if the key
 * was used for another request, and `idempotency_in_flight` while the first request is in progress.
 */
export async function findResponse(
  context: NodeContext,
  request: KeyedRequest,
): Promise<StoredResponse | StoredRunResponse | undefined> {
  const record = await findRecord(context.db, request.recordId);
  if (record === undefined) return undefined;
  if (record.now - record.created_at >= context.config.IDEMPOTENCY_RETENTION_MS) {
    await deleteAsRead(context, record);
    return undefined;
  }
  if (record.fingerprint !== request.fingerprint) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key was used with a different method, path or body. Send a new key.",
    );
  }
  if (record.status !== null) return toResponse(context, record);
  // Every run that started reaches a final state, and so gets a response, even if its node fails.
  if (record.run_id === null && isAbandoned(context, record)) {
    await deleteAsRead(context, record);
    return undefined;
  }
  throw inFlight(record.run_id === null ? {} : { extra: { runId: record.run_id } });
}

/**
 * Serves a request with `serve`, unless this process serves another one with its key: then the response is that of `findStored`,
 * and `idempotency_in_flight` if there is none. So requests of one process do not meet in the database, where PostgreSQL would log
 * an error for the second.
 */
export async function serveAlone<T>(
  { servedKeys }: Pick<NodeContext, "servedKeys">,
  { recordId }: Pick<KeyedRequest, "recordId">,
  { serve, findStored }: { serve: () => Promise<T>; findStored: () => Promise<T | undefined> },
): Promise<T> {
  if (servedKeys.has(recordId)) {
    const stored = await findStored();
    if (stored === undefined) throw inFlight({});
    return stored;
  }
  servedKeys.add(recordId);
  try {
    return await serve();
  } finally {
    servedKeys.delete(recordId);
  }
}

function inFlight(details: { extra?: { runId: string } }): ServiceError {
  return new ServiceError(
    "idempotency_in_flight",
    "The first request with this Idempotency-Key is still in progress. Retry with the same key.",
    { retryAfterSeconds: inFlightRetrySeconds, ...details },
  );
}

/** Whether the node that reserved the key has stopped. Its handler has written nothing then, and never will. */
function isAbandoned(context: NodeContext, record: FoundRecord): boolean {
  // This one works, however late its heartbeat is.
  if (record.node_id === context.nodeId) return false;
  if (context.db.dialect === "sqlite") return true;
  return record.node_seen_at === null || record.now - record.node_seen_at > offlineAfterMs;
}

function deleteAsRead(context: NodeContext, record: FoundRecord): Promise<void> {
  const { id, claim, status } = record;
  return deleteRecord(context.db, { id, claim, isAnswered: status !== null });
}

function toResponse(context: NodeContext, record: FoundRecord): StoredResponse | StoredRunResponse {
  const { id, status, headers, body, is_encrypted, run_id: runId } = record;
  const response = {
    status: status ?? 200,
    headers: JSON.parse(headers) as StoredResponse["headers"],
    body: body !== null && is_encrypted === 1 ? context.responseSeal.open(body, id) : body,
  };
  return runId === null || body === null ? response : { ...response, runId, body };
}
