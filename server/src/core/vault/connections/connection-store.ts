import type { CompiledQuery, Updateable } from "kysely";
import type { CredentialTable, Database } from "#db";

type Key = Pick<CredentialTable, "id" | "workspace_id">;

export async function findConnection(
  db: Database,
  { id, workspace_id: workspaceId }: Key,
): Promise<CredentialTable | undefined> {
  return db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", "oauth2")
    .executeTakeFirst();
}

/** Finds a connection in any workspace, before the caller is known. */
export async function findConnectionAnywhere(
  db: Database,
  id: string,
): Promise<CredentialTable | undefined> {
  return db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", "oauth2")
    .executeTakeFirst();
}

/** The connections of a user in a workspace, or all of the workspace. */
export async function findConnectionsOf(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId?: string },
): Promise<CredentialTable[]> {
  let query = db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", "oauth2");
  if (userId !== undefined) query = query.where("owner_user_id", "=", userId);
  return query.execute();
}

/** Updates a connection if its tokens have not changed since it was read. */
export function updateConnection(
  db: Database,
  { id, workspace_id: workspaceId, revision }: Key & Pick<CredentialTable, "revision">,
  change: Updateable<CredentialTable>,
): CompiledQuery {
  return db.kysely
    .updateTable("credentials")
    .set(change)
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("revision", "=", revision)
    .compile();
}

type Claim = {
  claim: string;
  now: number;
  until: number;
  /** The claim of a node that has stopped. */
  lapsed: string | null;
};

/** Claims the renewal of a connection until `until`, unless it is claimed or failed recently. */
export function claimRenewal(
  db: Database,
  { id, workspace_id: workspaceId, revision }: Key & Pick<CredentialTable, "revision">,
  { claim, now, until, lapsed }: Claim,
): CompiledQuery {
  return db.kysely
    .updateTable("credentials")
    .set({ refresh_claim: claim, refresh_until: until })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("revision", "=", revision)
    .where("status", "=", "ready")
    .where((where) =>
      where.or([
        where("refresh_until", "is", null),
        where("refresh_until", "<=", now),
        ...(lapsed === null ? [] : [where("refresh_claim", "=", lapsed)]),
      ]),
    )
    .compile();
}

/** Whether a node sent a heartbeat within `ms`. */
export async function isNodeAlive(db: Database, nodeId: string, ms: number): Promise<boolean> {
  const found = await db.kysely
    .selectFrom("nodes")
    .select("id")
    .where("id", "=", nodeId)
    .where((where) => where("seen_at", ">", where(db.now(), "-", ms)))
    .executeTakeFirst();
  return found !== undefined;
}

/** Releases a renewal claim that is still the caller's. */
export function releaseClaim(
  db: Database,
  { id, workspace_id: workspaceId }: Key,
  claim: string,
  change: Updateable<CredentialTable>,
): CompiledQuery {
  return db.kysely
    .updateTable("credentials")
    .set(change)
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("refresh_claim", "=", claim)
    .compile();
}
