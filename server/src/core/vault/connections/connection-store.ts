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

/** The same before it is known in which workspace somebody asks. */
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

/** The connections of a person in a workspace, or all of it. */
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

/** Changes a connection, only while its tokens are those that the caller saw. */
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
  /** A claim of somebody who is gone. */
  lapsed: string | null;
};

/** Takes the right to ask for new tokens until `until`, unless somebody has it, or failed a moment ago. */
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

/** Whether a node said within `ms` that it lives. */
export async function isNodeAlive(db: Database, nodeId: string, ms: number): Promise<boolean> {
  const found = await db.kysely
    .selectFrom("nodes")
    .select("id")
    .where("id", "=", nodeId)
    .where((where) => where("seen_at", ">", where(db.now(), "-", ms)))
    .executeTakeFirst();
  return found !== undefined;
}

/** Lets go of the right to ask, if it is still the caller's. */
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
