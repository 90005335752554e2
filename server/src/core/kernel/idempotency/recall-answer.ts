import type { NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { deadAfterMs } from "../nodes/heartbeat.ts";
import type { KeptAnswer, KeptRunEnd, KeyedRequest } from "./record.ts";
import { deleteRecord, findRecord } from "./record-store.ts";
import type { FoundRecord } from "./record-store.ts";

const inFlightRetrySeconds = 1;

/**
 * The answer kept for a request's key, or undefined when the key counts as new. A run's key may have the run's end as
 * its answer (`findRunResponse` of `core/runs` reads it). Throws
 * `idempotency_key_reused` when it came with another request, and `idempotency_in_flight` while the first works.
 */
export async function recallAnswer(
  context: NodeContext,
  request: KeyedRequest,
): Promise<KeptAnswer | KeptRunEnd | undefined> {
  const record = await findRecord(context.db, request.recordId);
  if (record === undefined) return undefined;
  if (record.now - record.created_at >= context.config.IDEMPOTENCY_RETENTION_MS) {
    await forget(context, record);
    return undefined;
  }
  if (record.fingerprint !== request.fingerprint) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key came with another method, path or body before. Send a new key.",
    );
  }
  if (record.status !== null) return toAnswer(context, record);
  // A run that began has an end, and with it an answer, whatever becomes of the node.
  if (record.run_id === null && isAbandoned(context, record)) {
    await forget(context, record);
    return undefined;
  }
  throw new ServiceError(
    "idempotency_in_flight",
    "The first request with this Idempotency-Key is still at work. Try again with the same key.",
    {
      retryAfterSeconds: inFlightRetrySeconds,
      ...(record.run_id === null ? {} : { extra: { runId: record.run_id } }),
    },
  );
}

/** Whether the process whose handler held the key is gone: then nothing of it was or will be written. */
function isAbandoned(context: NodeContext, record: FoundRecord): boolean {
  if (context.db.dialect === "sqlite") return record.node_id !== context.nodeId;
  return record.node_seen_at === null || record.now - record.node_seen_at > deadAfterMs;
}

function forget(context: NodeContext, record: FoundRecord): Promise<void> {
  const { id, claim, status } = record;
  return deleteRecord(context.db, { id, claim, isAnswered: status !== null });
}

function toAnswer(context: NodeContext, record: FoundRecord): KeptAnswer | KeptRunEnd {
  const { id, status, headers, body, is_encrypted, run_id: runId } = record;
  const answer = {
    status: status ?? 200,
    headers: JSON.parse(headers) as KeptAnswer["headers"],
    body: body !== null && is_encrypted === 1 ? context.responseSeal.open(body, id) : body,
  };
  // Whole answers of runs are objects.
  return runId !== null && body?.startsWith('"') === true ? { ...answer, runId, body } : answer;
}
