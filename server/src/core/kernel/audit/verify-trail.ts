import type { AuditVerification } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "#db";
import { toTimestampOrNull } from "#lib/clock";
import { findEnds, findSealedHash, findTrailEnds } from "./audit-store.ts";
import { noEnds, verifyStretch } from "./verify-chain.ts";

/** How long one request checks before it says where to go on. */
const maxMs = 5_000;

const busy = new WeakMap<Database, Set<string>>();

/**
 * Checks the caller's workspace's chain from its beginning, or on from `after`, by the rules of `npm run audit:verify`,
 * for at most some seconds. Throws `rate_limited` while this node checks the same chain already, and `not_found`
 * when the chain has no such place.
 */
export async function verifyTrail(
  { db }: Pick<NodeContext, "db">,
  { workspaceId }: Caller,
  after: number | undefined,
  timeMs: number = maxMs,
): Promise<AuditVerification> {
  const now = busy.get(db) ?? new Set();
  busy.set(db, now);
  if (now.has(workspaceId)) {
    throw new ServiceError("rate_limited", "The audit trail is being checked already.", {
      retryAfterSeconds: maxMs / 1_000,
    });
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
    throw new ServiceError("not_found", "The chain has no event at this place.");
  }
  const start = from === undefined || hash === undefined ? undefined : { sequence: from, hash };
  const deadline = performance.now() + timeMs;
  const report = await verifyStretch(db, workspaceId, {
    start,
    isOver: () => performance.now() > deadline,
  });
  const { firstAt, lastAt, unsealed } = await findTrailEnds(db, workspaceId);
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
