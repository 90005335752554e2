import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, IdempotencyRecordTable, Insert, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import type { StoredResponse, KeyedRequest } from "./record.ts";

/** The insert that reserves a key, as the guard of a write. It does nothing if the key has a record. */
export const reserveKey = {
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

type Reservation = {
  nodeId: string;
  runId: string | null;
  headers: StoredResponse["headers"];
  /** The response, if it is already known. */
  response: Omit<StoredResponse, "headers"> | undefined;
};

/** Values for {@link reserveKey}. */
export function reserveKeyValues(request: KeyedRequest, reservation: Reservation): SqlValue[] {
  return [
    request.recordId,
    request.workspaceId,
    request.fingerprint,
    reservation.nodeId,
    request.claim,
    reservation.runId,
    reservation.response?.status ?? null,
    JSON.stringify(reservation.headers),
    reservation.response?.body ?? null,
  ];
}

const reserve = defineGuardedWrite({ name: "take_idempotency_key", guard: reserveKey, also: [] });

/** Reserves a key for a handler of this node. Returns false if it is already reserved. */
export async function insertRecord(
  db: Database,
  request: KeyedRequest,
  reservation: Reservation,
): Promise<boolean> {
  const written = await db.writeGuarded(reserve, reserveKeyValues(request, reservation));
  return written !== undefined;
}

const findKey = {
  name: "find_idempotency_key",
  text: "select 1 from idempotency_records where id = ?",
};

/** A column of any select: 1 if the key has a record, which may have expired. Takes the record's ID. */
export const isKeyReservedColumn =
  "case when exists (select 1 from idempotency_records where id = ?) then 1 else 0 end as is_key_reserved";

/** Whether a key has a record, which may have expired. */
export async function isKeyReserved(
  db: Database,
  { recordId }: Pick<KeyedRequest, "recordId">,
): Promise<boolean> {
  return (await db.query(findKey, [recordId])).length > 0;
}

/** A record with the times that decide whether it still counts, all by the database's clock. */
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

/** Stores the response of a handler that still owns its claim. */
export function storeResponse(
  db: Database,
  request: Pick<KeyedRequest, "recordId" | "claim">,
  response: StoredResponse,
  isEncrypted: boolean,
): CompiledQuery {
  return db.kysely
    .updateTable("idempotency_records")
    .set({
      status: response.status,
      headers: JSON.stringify(response.headers),
      body: response.body,
      is_encrypted: isEncrypted ? 1 : 0,
    })
    .where("id", "=", request.recordId)
    .where("claim", "=", request.claim)
    .where("status", "is", null)
    .compile();
}

/** Deletes a record, so that its key counts as new, unless the record has changed since it was read. */
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
