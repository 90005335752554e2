import type { Database } from "#db";
import { toVector } from "./vector.ts";
import type { Vector } from "./vector.ts";

/** Whose vectors, and of which model. */
export type VectorScope = { workspaceId: string; model: string };

/** The stored vectors of texts, by hash. */
export async function findVectors(
  db: Database,
  { workspaceId, model }: VectorScope,
  hashes: readonly string[],
): Promise<Map<string, Vector>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom("tool_embeddings")
    .select(["hash", "vector"])
    .where("workspace_id", "=", workspaceId)
    .where("model", "=", model)
    .where("hash", "in", hashes)
    .execute();
  return new Map(rows.map(({ hash, vector }) => [hash, toVector(Int8Array.from(vector))]));
}

/** Whether a workspace still exists, so that nothing of a deleted one is embedded or stored. */
export async function isWorkspaceKept(db: Database, workspaceId: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores vectors. Those of another dimension are replaced, since the provider has changed the model. */
export async function saveVectors(
  db: Database,
  { workspaceId: workspace_id, model }: VectorScope,
  vectors: ReadonlyMap<string, Vector>,
  now: number,
): Promise<void> {
  const rows = Array.from(vectors, ([hash, { values }]) => ({
    workspace_id,
    model,
    hash,
    vector: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
    created_at: now,
  }));
  await db.kysely
    .insertInto("tool_embeddings")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "model", "hash"]).doUpdateSet((row) => ({
        vector: row.ref("excluded.vector"),
        created_at: row.ref("excluded.created_at"),
      })),
    )
    .execute();
}

/** Hashes that a workspace has vectors of, of all models, if they are older than a time. */
export async function findOldHashes(
  db: Database,
  workspaceId: string,
  page: { before: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("tool_embeddings")
    .select("hash")
    .distinct()
    .where("workspace_id", "=", workspaceId)
    .where("created_at", "<", page.before)
    .where("hash", ">", page.after)
    .orderBy("hash")
    .limit(page.limit)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Deletes the vectors of texts, of all models. */
export async function deleteVectors(
  db: Database,
  workspaceId: string,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  await db.kysely
    .deleteFrom("tool_embeddings")
    .where("workspace_id", "=", workspaceId)
    .where("hash", "in", hashes)
    .execute();
}
