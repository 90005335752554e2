import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, IdempotencyRecordTable, Insert, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import type { KeptAnswer, KeyedRequest } from "./record.ts";

/** The insert that takes a key, for the guard of a write: it gives way to a record that is there. */
export const takeKey = {
  table: "idempotency_records",
  columns: [
    "id",
    "workspace_id",
    "fingerprint",
    "node_id",
    "claim",
    "run_id",
    "status",
    "headers",
    "body",
    {
      name: "created_at",
      postgres: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
      sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
    },
  ],
  unless: "id",
} as const satisfies Insert & { unless: string };

type Taken = {
  nodeId: string;
  runId: string | null;
  headers: KeptAnswer["headers"];
  /** The answer, when it is known already. */
  answer: Omit<KeptAnswer, "headers"> | undefined;
};

/** Values for {@link takeKey}. */
export function takeKeyValues(request: KeyedRequest, taken: Taken): SqlValue[] {
  return [
    request.recordId,
    request.workspaceId,
    request.fingerprint,
    taken.nodeId,
    request.claim,
    taken.runId,
    taken.answer?.status ?? null,
    JSON.stringify(taken.headers),
    taken.answer?.body ?? null,
  ];
}

const take = defineGuardedWrite({ name: "take_idempotency_key", guard: takeKey, also: [] });

/** Takes a key for a handler of this node; false when it is taken. */
export async function insertRecord(
  db: Database,
  request: KeyedRequest,
  taken: Taken,
): Promise<boolean> {
  return db.writeGuarded(take, takeKeyValues(request, taken));
}

/** A record with what decides whether it still counts, all by the database's clock. */
export type FoundRecord = IdempotencyRecordTable & { now: number; node_seen_at: number | null };

export async function findRecord(db: Database, recordId: string): Promise<FoundRecord | undefined> {
  return db.kysely
    .selectFrom("idempotency_records")
    .leftJoin("nodes", "nodes.id", "idempotency_records.node_id")
    .selectAll("idempotency_records")
    .select(["nodes.seen_at as node_seen_at", db.now().as("now")])
    .where("idempotency_records.id", "=", recordId)
    .executeTakeFirst();
}

/** Keeps the answer of a handler that still holds its claim. */
export function keepAnswer(
  db: Database,
  request: Pick<KeyedRequest, "recordId" | "claim">,
  answer: KeptAnswer,
  isEncrypted: boolean,
): CompiledQuery {
  return db.kysely
    .updateTable("idempotency_records")
    .set({
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
      is_encrypted: isEncrypted ? 1 : 0,
    })
    .where("id", "=", request.recordId)
    .where("claim", "=", request.claim)
    .where("status", "is", null)
    .compile();
}

/** Forgets a record as it was seen, so that its key counts as new; leaves one that has changed since. */
export async function deleteRecord(
  db: Database,
  record: { id: string; claim: string; isAnswered: boolean },
): Promise<void> {
  await db.transact([
    db.kysely
      .deleteFrom("idempotency_records")
      .where("id", "=", record.id)
      .where("claim", "=", record.claim)
      .where(sql<boolean>`status is ${record.isAnswered ? sql`not null` : sql`null`}`)
      .compile(),
  ]);
}
