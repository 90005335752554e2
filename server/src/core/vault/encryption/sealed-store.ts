import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database } from "#db";
import type { Sealed } from "#lib/envelope";

/**
 * Every place where the database keeps something that the encryption key wraps: three columns, bound to the
 * row's id. A table or column that is added without a line here would be lost with the old key.
 */
const places = [
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
] as const;

export type SealedPlace = (typeof places)[number];
export const sealedPlaces: readonly SealedPlace[] = places;

export type SealedRow = Sealed & { id: string };

/** Some rows of a place that are not under a key, in the order of their ids. */
export async function findSealedElsewhere(
  db: Database,
  place: SealedPlace,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(place.sealedValue)} as "sealedValue",
      ${sql.ref(place.wrappedKey)} as "wrappedKey", ${sql.ref(place.keyId)} as "keyId"
    from ${sql.table(place.table)}
    where ${sql.ref(place.keyId)} <> ${keyId} and id > ${after}
    order by id limit ${limit}
  `.execute(db.kysely);
  return rows;
}

/** Writes the key's new wrapping, unless the row has been changed meanwhile. */
export function writeWrapping(
  db: Database,
  place: SealedPlace,
  { from, to }: { from: SealedRow; to: Sealed },
): CompiledQuery {
  return sql`
    update ${sql.table(place.table)}
    set ${sql.ref(place.wrappedKey)} = ${to.wrappedKey}, ${sql.ref(place.keyId)} = ${to.keyId}
    where id = ${from.id} and ${sql.ref(place.wrappedKey)} = ${from.wrappedKey}
  `.compile(db.kysely);
}

/** How many secrets are under each key, by its name. */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, keyId } of sealedPlaces) {
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
