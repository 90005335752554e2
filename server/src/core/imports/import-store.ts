import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { bridgeScheme } from "#core/runs";
import type { Database, ImportTable } from "#db";

/** An import without its document, items and hashes, which may have megabytes. */
export type ImportRow = Omit<ImportTable, "document" | "items" | "item_hashes">;

/** The same, with the numbers of its tools and of those that differ from the last check. */
export type CountedImport = ImportRow & {
  tool_count: number;
  imported_count: number;
  change_count: number;
  hold_count: number;
};

const columns = [
  "imports.id",
  "imports.workspace_id",
  "imports.user_id",
  "imports.kind",
  "imports.title",
  "imports.custom_title",
  "imports.description",
  "imports.version",
  "imports.format",
  "imports.url",
  "imports.transport",
  "imports.credential",
  "imports.common",
  "imports.item_count",
  "imports.hash",
  "imports.problem",
  "imports.failures",
  "imports.created_at",
  "imports.checked_at",
  "imports.next_check_at",
  "imports.revision",
] as const;

type Viewer = { workspaceId: string; userId: string };

const isOnHold = sql`and tools.pinned_hash is not null and tools.pinned_hash <>
  coalesce((select live.item_hash from tool_versions as live
    where live.tool_id = tools.id and live.version = tools.live_version), '')`;

const isChanged = sql`and link.latest_hash <> (select live.item_hash from tool_versions as live
  where live.tool_id = tools.id and live.version = tools.live_version)`;

/**
 * Counts the tools that came from a row of `imports` and that the viewer may see: all, the changed ones, or those on hold. `items` counts the
 * items that still exist and have one.
 */
function countTools({ workspaceId, userId }: Viewer, what: "all" | "changed" | "held" | "items") {
  const counted = what === "items" ? sql`distinct link.item_key` : sql`*`;
  const condition = {
    all: sql``,
    changed: isChanged,
    held: isOnHold,
    items: sql`and link.latest_hash <> ''`,
  }[what];
  return sql<number>`cast((select count(${counted}) from tool_imports as link
    join tools on tools.id = link.tool_id
    where link.import_id = imports.id and tools.archived_at is null
      and tools.workspace_id = ${workspaceId}
      and (tools.visibility <> 'private' or tools.owner_user_id = ${userId})
      ${condition}) as integer)`;
}

function importsOf({ kysely }: Database, viewer: Viewer) {
  return kysely
    .selectFrom("imports")
    .select(columns)
    .select([
      countTools(viewer, "all").as("tool_count"),
      countTools(viewer, "items").as("imported_count"),
      countTools(viewer, "changed").as("change_count"),
      countTools(viewer, "held").as("hold_count"),
    ])
    .where("imports.workspace_id", "=", viewer.workspaceId)
    .where(
      sql<boolean>`(imports.url is null or imports.url not like ${`${bridgeScheme}%`} or imports.user_id = ${viewer.userId})`,
    );
}

/** The imports of the viewer's workspace, newest first. */
export async function listImportRows(
  db: Database,
  viewer: Viewer,
  page: { limit: number; after: string | undefined; id: string | undefined },
): Promise<CountedImport[]> {
  let query = importsOf(db, viewer);
  if (page.id !== undefined) query = query.where("imports.id", "=", page.id);
  if (page.after !== undefined) query = query.where("imports.id", "<", page.after);
  return query.orderBy("imports.id", "desc").limit(page.limit).execute();
}

/** The newest import of a document that the viewer's workspace has, by its URL, or the hash of one that was uploaded. */
export async function findImportOfDocument(
  { kysely }: Database,
  { workspaceId }: Viewer,
  { url, hash }: { url: string | null; hash: string },
): Promise<Pick<ImportRow, "id" | "title" | "custom_title"> | undefined> {
  const query = kysely
    .selectFrom("imports")
    .select(["id", "title", "custom_title"])
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", "openapi");
  const same =
    url === null
      ? query.where("url", "is", null).where("hash", "=", hash)
      : query.where("url", "=", url);
  return same.orderBy("id", "desc").limit(1).executeTakeFirst();
}

export async function findImportRow(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<CountedImport | undefined> {
  return importsOf(db, viewer).where("imports.id", "=", id).executeTakeFirst();
}

/** What identifies the items and the document of an import. */
export type Content = Pick<ImportRow, "id" | "workspace_id" | "hash">;

function ofContent({ kysely }: Database, { id, workspace_id: workspaceId, hash }: Content) {
  return kysely
    .selectFrom("imports")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("hash", "=", hash);
}

/** The items of an import as JSON. Undefined if they changed since the row was read. */
export async function findItemsText(db: Database, row: Content): Promise<string | undefined> {
  return (await ofContent(db, row).select("items").executeTakeFirst())?.items;
}

/** The compressed document of an import. Undefined if it changed since the row was read. */
export async function findDocument(db: Database, row: Content): Promise<Buffer | undefined> {
  const found = await ofContent(db, row).select("document").executeTakeFirst();
  return found?.document ?? undefined;
}

export function insertImport({ kysely }: Database, row: ImportTable): CompiledQuery {
  return kysely.insertInto("imports").values(row).compile();
}

/** Changes an import, unless it was changed since it was read. */
export function updateImport(
  { kysely }: Database,
  { id, workspace_id: workspaceId, revision }: Pick<ImportRow, "id" | "workspace_id" | "revision">,
  change: Partial<Omit<ImportTable, "id" | "workspace_id" | "revision">>,
): CompiledQuery {
  return kysely
    .updateTable("imports")
    .set({ ...change, revision: revision + 1 })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("revision", "=", revision)
    .compile();
}

export function deleteImportRow(
  { kysely }: Database,
  { id, workspace_id: workspaceId }: Pick<ImportRow, "id" | "workspace_id">,
): CompiledQuery {
  return kysely
    .deleteFrom("imports")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .compile();
}

/**
 * The import of each workspace whose check is due first, the longest due first. Those that failed before come last, because
 * their servers may stall again.
 */
export async function findDueImports(
  { kysely }: Database,
  now: number,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<ImportRow[]> {
  const order = sql`case when failures = 0 then 0 else 1 end, next_check_at`;
  // A task of the service checks all workspaces.
  let due = kysely
    .selectFrom("imports")
    .select(["id", "failures", "next_check_at"])
    .select(
      sql<number>`row_number() over (partition by workspace_id order by ${order})`.as("place"),
    )
    .where("next_check_at", "<=", now);
  if (except.length > 0) due = due.where("workspace_id", "not in", except);
  const first = kysely
    .selectFrom(due.as("due"))
    .select("id")
    .where("place", "=", 1)
    .orderBy(order)
    .limit(limit);
  return kysely
    .selectFrom("imports")
    .select(columns)
    .where("id", "in", first)
    .orderBy(order)
    .execute();
}
