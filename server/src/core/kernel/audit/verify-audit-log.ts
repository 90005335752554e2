import type { AuditVerification } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "#db";
import { toTimestampOrNull } from "#lib/clock";
import { findEnds, findSealedHash, findLogSummary } from "./audit-store.ts";
import { noEnds, verifyPart } from "./verify-chain.ts";

/** How long one request verifies before it returns where to continue. */
const maxMs = 5_000;

const busy = new WeakMap<Database, Set<string>>();

/**
 * Verifies the audit log of the caller's workspace from its start or after the event `after`, like `npm run audit:verify`,
 * for at most a few seconds. Throws `rate_limited` while this node already verifies the same log, and `not_found`
 * if there is no event `after`.
 */
export async function verifyAuditLog(
  { db }: Pick<NodeContext, "db">,
  { workspaceId }: Caller,
  after: number | undefined,
  timeMs: number = maxMs,
): Promise<AuditVerification> {
  const now = busy.get(db) ?? new Set();
  busy.set(db, now);
  if (now.has(workspaceId)) {
    throw new ServiceError(
      "rate_limited",
      "The audit log is already being verified. Retry shortly.",
      {
        retryAfterSeconds: maxMs / 1_000,
      },
    );
  }
  now.add(workspaceId);
  try {
    return await verify(db, workspaceId, after, timeMs);
  } finally {
    now.delete(workspaceId);
  }
}

async function verify(
  db: Database,
  workspaceId: string,
  after: number | undefined,
  timeMs: number,
): Promise<AuditVerification> {
  const { head, base } = (await findEnds(db, workspaceId)) ?? noEnds;
  const from = after === undefined || after <= base.sequence ? undefined : after;
  const hash = from === undefined ? undefined : await findSealedHash(db, workspaceId, from);
  if (from !== undefined && hash === undefined) {
    throw new ServiceError("not_found", "The audit log has no event with this sequence number.");
  }
  const start = from === undefined || hash === undefined ? undefined : { sequence: from, hash };
  const deadline = performance.now() + timeMs;
  const report = await verifyPart(db, workspaceId, {
    start,
    isOver: () => performance.now() > deadline,
  });
  const { firstAt, lastAt, unsealed } = await findLogSummary(db, workspaceId);
  const problems = report.isSound
    ? []
    : [{ sequence: report.brokenAt, eventId: report.eventId, message: report.problem }];
  return {
    intact: report.isSound,
    complete: report.next === undefined,
    next: report.next ?? null,
    sealed: Math.max(0, head.sequence - base.sequence),
    unsealed,
    checked: report.eventCount,
    trimmed: report.trimmedCount,
    firstAt: toTimestampOrNull(firstAt),
    lastAt: toTimestampOrNull(lastAt),
    problems,
  };
}
