import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type {
  ChatConnectionTable,
  ChatLinkTable,
  ChatLinkTokenTable,
  Database,
  TransactionStep,
} from "#db";

export async function findLink(
  { kysely }: Database,
  connectionId: string,
  chatUserId: string,
): Promise<ChatLinkTable | undefined> {
  return kysely
    .selectFrom("chat_links")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .where("chat_user_id", "=", chatUserId)
    .executeTakeFirst();
}

/** Links a chat user to a person, and replaces an earlier link. */
export function writeLink({ kysely }: Database, row: ChatLinkTable): CompiledQuery {
  const { user_id, how, created_at } = row;
  return kysely
    .insertInto("chat_links")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "chat_user_id"]).doUpdateSet({ user_id, how, created_at }),
    )
    .compile();
}

/** Links a chat user only if there is no link, and none that was removed. */
export function writeFirstLink({ kysely }: Database, row: ChatLinkTable): TransactionStep {
  const query = kysely
    .insertInto("chat_links")
    .values(row)
    .onConflict((conflict) => conflict.columns(["connection_id", "chat_user_id"]).doNothing())
    .compile();
  return { query, mustChange: true };
}

/** A person's links with their teams, newest first. */
export async function listLinkRows(
  { kysely }: Database,
  userId: string,
  page: { limit: number; after: string | undefined },
): Promise<
  (ChatLinkTable & Pick<ChatConnectionTable, "platform" | "team_name" | "workspace_id">)[]
> {
  let query = kysely
    .selectFrom("chat_links")
    .innerJoin("chat_connections", "chat_connections.id", "chat_links.connection_id")
    .selectAll("chat_links")
    .select([
      "chat_connections.platform",
      "chat_connections.team_name",
      "chat_connections.workspace_id",
    ])
    .where("chat_links.user_id", "=", userId)
    .where("chat_connections.state", "<>", "leaving");
  if (page.after !== undefined) query = query.where("chat_links.id", "<", page.after);
  return query.orderBy("chat_links.id", "desc").limit(page.limit).execute();
}

export async function findLinkOf(
  { kysely }: Database,
  { id, userId }: { id: string; userId: string },
): Promise<
  (ChatLinkTable & Pick<ChatConnectionTable, "workspace_id" | "platform" | "team_id">) | undefined
> {
  return kysely
    .selectFrom("chat_links")
    .innerJoin("chat_connections", "chat_connections.id", "chat_links.connection_id")
    .selectAll("chat_links")
    .select([
      "chat_connections.workspace_id",
      "chat_connections.platform",
      "chat_connections.team_id",
    ])
    .where("chat_links.id", "=", id)
    .where("chat_links.user_id", "=", userId)
    .executeTakeFirst();
}

/** Removes a link but leaves a record, so that an email address alone does not restore it. */
export function undoLink(
  { kysely }: Database,
  { id, userId }: { id: string; userId: string },
): TransactionStep {
  const query = kysely
    .updateTable("chat_links")
    .set({ user_id: null })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .compile();
  return { query, mustChange: true };
}

/** Removes a link by email address, unless it has changed. */
export function deleteEmailLink(
  { kysely }: Database,
  { id, user_id: userId }: Pick<ChatLinkTable, "id" | "user_id">,
): TransactionStep {
  const query = kysely
    .deleteFrom("chat_links")
    .where("id", "=", id)
    .where("how", "=", "email")
    .where("user_id", "=", userId)
    .compile();
  return { query, mustChange: true };
}

/** The member with this verified email address. */
export async function findMemberByVerifiedEmail(
  db: Database,
  workspaceId: string,
  email: string,
): Promise<string | undefined> {
  // The sign-in library stores booleans in the native type of the database.
  const isVerified = db.dialect === "postgres" ? sql`true` : sql`1`;
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join members m on m.user_id = u.id
    where m.workspace_id = ${workspaceId} and u.email = ${email} and u.email_verified = ${isVerified}
  `.execute(db.kysely);
  return rows[0]?.id;
}

export function insertLinkToken({ kysely }: Database, row: ChatLinkTokenTable): CompiledQuery {
  return kysely.insertInto("chat_link_tokens").values(row).compile();
}

export type FoundToken = ChatLinkTokenTable &
  Pick<ChatConnectionTable, "workspace_id" | "platform" | "team_id" | "team_name">;

/** A valid token with its team. */
export async function findLinkToken(
  { kysely }: Database,
  tokenHash: string,
  now: number,
): Promise<FoundToken | undefined> {
  return kysely
    .selectFrom("chat_link_tokens")
    .innerJoin("chat_connections", "chat_connections.id", "chat_link_tokens.connection_id")
    .selectAll("chat_link_tokens")
    .select([
      "chat_connections.workspace_id",
      "chat_connections.platform",
      "chat_connections.team_id",
      "chat_connections.team_name",
    ])
    .where("chat_link_tokens.token_hash", "=", tokenHash)
    .where("chat_link_tokens.expires_at", ">", now)
    .where("chat_connections.state", "=", "active")
    .executeTakeFirst();
}

/** Consumes all tokens of a chat user. Changes nothing if the given token no longer exists. */
export function takeLinkToken(
  { kysely }: Database,
  token: Pick<FoundToken, "token_hash" | "connection_id" | "chat_user_id">,
): TransactionStep[] {
  const one = kysely
    .deleteFrom("chat_link_tokens")
    .where("token_hash", "=", token.token_hash)
    .compile();
  const others = kysely
    .deleteFrom("chat_link_tokens")
    .where("connection_id", "=", token.connection_id)
    .where("chat_user_id", "=", token.chat_user_id)
    .compile();
  return [{ query: one, mustChange: true }, others];
}

export async function deleteOldLinkTokens({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_link_tokens").where("expires_at", "<", before).execute();
}
