import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { VaultContext } from "../context.ts";
import type { CredentialTable, Database, PreparedStatement, TransactionStep } from "#db";

/** The `owner_user_id` of credentials of the whole workspace. */
export const workspaceOwner = "";

type Viewer = { workspaceId: string; userId: string };

/** Throws `quota_exceeded` if the owner, a user or a workspace, has reached the limit of credentials. */
export function capCredentials(
  context: Pick<VaultContext, "config" | "db">,
  { owner_user_id: ownerId, workspace_id: workspaceId }: CredentialTable,
): TransactionStep[] {
  if (ownerId === workspaceOwner) {
    return capSteps(context, "workspace-credentials", {
      subject: workspaceId,
      existing: sql`select 1 from credentials
        where workspace_id = ${workspaceId} and owner_user_id = ${workspaceOwner}`,
    });
  }
  return capSteps(context, "user-credentials", {
    subject: ownerId,
    existing: sql`select 1 from credentials where owner_user_id = ${ownerId}`,
  });
}

/** Inserts a credential, unless its owner has one of the same name; then it inserts nothing. */
export function insertIfNew(db: Database, row: CredentialTable): CompiledQuery {
  return db.kysely
    .insertInto("credentials")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "owner_user_id", "name"]).doNothing(),
    )
    .compile();
}

/** The viewer's own credentials and the workspace's, newest first. */
export async function listCredentialRows(
  db: Database,
  viewer: Viewer,
  page: { limit: number; after: string | undefined },
): Promise<CredentialTable[]> {
  let query = db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("workspace_id", "=", viewer.workspaceId)
    .where("owner_user_id", "in", [viewer.userId, workspaceOwner]);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

/** The viewer's own credentials and the workspace's of these names. */
export async function findByNames(
  db: Database,
  viewer: Viewer,
  names: readonly string[],
): Promise<CredentialTable[]> {
  return db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("workspace_id", "=", viewer.workspaceId)
    .where("owner_user_id", "in", [viewer.userId, workspaceOwner])
    .where("name", "in", names)
    .execute();
}

/** A credential with its owner's approval of a tool; null if there is none. */
export type CredentialForTool = Pick<CredentialTable, (typeof columns)[number]> & {
  approved_needs: string | null;
  /** Hash of the code of the version that was approved. */
  approved_code: string | null;
  /** How it was approved, or `withdrawn`. */
  approved_how: string | null;
};

/** The viewer's own credentials and the workspace's of these names, each with its owner's approval of a tool. */
export async function findForTool(
  db: Database,
  viewer: Viewer,
  { toolId, names }: { toolId: string; names: readonly string[] },
): Promise<CredentialForTool[]> {
  const values = [toolId, viewer.workspaceId, viewer.userId, workspaceOwner, ...names];
  return db.query<CredentialForTool>(forTool(names.length), values);
}

/** Named one by one, because a prepared `*` fails on nodes that run while another node migrates. */
const columns = [
  "id",
  "workspace_id",
  "owner_user_id",
  "name",
  "hosts",
  "sealed_value",
  "wrapped_key",
  "key_id",
  "created_by",
  "created_at",
  "last_used_at",
  "kind",
  "status",
  "problem",
  "connection",
  "expires_at",
  "refresh_at",
  "revision",
  "refresh_claim",
  "refresh_until",
  "refresh_failures",
  "exposable",
] as const satisfies readonly (keyof CredentialTable)[];

const statements = new Map<number, PreparedStatement>();

/** The prepared statement for a number of names. Each run of a tool with credentials executes it. */
function forTool(names: number): PreparedStatement {
  const cached = statements.get(names);
  if (cached !== undefined) return cached;
  // SQLite plans a join again for each value of a placeholder, but not for the result of a subquery.
  const value = "(select ?)";
  const statement = {
    name: `find_credentials_for_tool_${names}`,
    text: `select ${columns.map((column) => `c.${column}`).join(", ")}, a.needs as approved_needs,
        v.bundle_hash as approved_code, a.how as approved_how
      from credentials c
      left join tool_approvals a on a.workspace_id = c.workspace_id
        and a.owner_user_id = c.owner_user_id and a.tool_id = ${value}
      left join tool_versions v on v.tool_id = a.tool_id and v.version = a.version
      where c.workspace_id = ${value} and c.owner_user_id in (${value}, ${value})
        and c.name in (${Array.from({ length: names }, () => value).join(", ")})`,
  };
  statements.set(names, statement);
  return statement;
}

type Seen = Pick<CredentialTable, "id" | "workspace_id" | "revision">;

type Change = Partial<
  Pick<CredentialTable, "hosts" | "exposable" | "sealed_value" | "wrapped_key" | "key_id">
>;

/** Changes a credential if it has not changed since the caller read it. */
export function writeChange(
  db: Database,
  row: Seen & Pick<CredentialTable, "kind">,
  change: Change,
): CompiledQuery {
  // The revision of a connection counts its tokens. It stays, so that a renewal in progress can store its tokens.
  const revision = row.kind === "value" ? row.revision + 1 : row.revision;
  return db.kysely
    .updateTable("credentials")
    .set({ ...change, revision })
    .where("id", "=", row.id)
    .where("workspace_id", "=", row.workspace_id)
    .where("revision", "=", row.revision)
    .compile();
}

/** Deletes a credential if it has not changed since the caller read it. */
export function deleteCredentialRow(db: Database, row: Seen): CompiledQuery {
  return db.kysely
    .deleteFrom("credentials")
    .where("id", "=", row.id)
    .where("workspace_id", "=", row.workspace_id)
    .where("revision", "=", row.revision)
    .compile();
}
