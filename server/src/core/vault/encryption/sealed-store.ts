import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database } from "#db";
import type { Sealed } from "#lib/envelope";

/**
 * The columns that contain secrets wrapped with the encryption key, bound to the row's ID. A rotation loses the secrets
 * of columns that are missing here.
 */
const columnLists = [
  {
    table: "credentials",
    sealedValue: "sealed_value",
    wrappedKey: "wrapped_key",
    keyId: "key_id",
  },
  {
    table: "chat_connections",
    sealedValue: "sealed_value",
    wrappedKey: "wrapped_key",
    keyId: "key_id",
  },
  {
    table: "webhooks",
    sealedValue: "sealed_value",
    wrappedKey: "wrapped_key",
    keyId: "key_id",
  },
] as const;

export type SealedColumns = (typeof columnLists)[number];
export const sealedColumns: readonly SealedColumns[] = columnLists;

export type SealedRow = Sealed & { id: string };

/** Rows that are sealed with another key, in the order of their IDs. */
export async function findSealedWithOtherKeys(
  db: Database,
  columns: SealedColumns,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(columns.sealedValue)} as "sealedValue",
      ${sql.ref(columns.wrappedKey)} as "wrappedKey", ${sql.ref(columns.keyId)} as "keyId"
    from ${sql.table(columns.table)}
    where ${sql.ref(columns.keyId)} <> ${keyId} and id > ${after}
    order by id limit ${limit}
  `.execute(db.kysely);
  return rows;
}

/** Stores the newly wrapped key, unless the row has changed since it was read. */
export function writeWrapping(
  db: Database,
  columns: SealedColumns,
  { from, to }: { from: SealedRow; to: Sealed },
): CompiledQuery {
  return sql`
    update ${sql.table(columns.table)}
    set ${sql.ref(columns.wrappedKey)} = ${to.wrappedKey}, ${sql.ref(columns.keyId)} = ${to.keyId}
    where id = ${from.id} and ${sql.ref(columns.wrappedKey)} = ${from.wrappedKey}
  `.compile(db.kysely);
}

/** The number of secrets per key ID. */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, keyId } of sealedColumns) {
    const { rows } = await sql<{ keyId: string | null; secrets: number }>`
      select ${sql.ref(keyId)} as "keyId", count(*) as secrets from ${sql.table(table)} group by 1
    `.execute(db.kysely);
    for (const row of rows) {
      if (row.keyId === null) continue;
      counts.set(row.keyId, (counts.get(row.keyId) ?? 0) + row.secrets);
    }
  }
  return counts;
}
