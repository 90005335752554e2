import canonicalize from "canonicalize";
import type { CompiledQuery } from "kysely";
import type { CreateToolInput, ImportAuthentication } from "@toolhost/contract";
import type { Database, ToolImportTable, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { findItemHash, formatItemHashes } from "./item-hashes.ts";
import { normalizeDefinition } from "./tool.ts";
import { isOwn } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";

/** The item of an import that a version was made from. */
export type ImportLink = {
  importId: string;
  key: string;
  /** The hash of the item. */
  hash: string;
  /** What the request that created the tool chose. */
  options: ImportOptions;
  /** The hash of the definition that the import made of it ({@link hashDefinition}). */
  definitionHash: string;
  /** That definition; undefined for links that were created before it was stored. */
  generated: CreateToolInput | undefined;
};

/** Choices that hold for later versions of a tool as well. */
export type ImportOptions = {
  /** The base URL of the API, instead of the document's. */
  serverUrl?: string | undefined;
  /** Names of credentials by security scheme, instead of the defaults. */
  credentials?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How the API authenticates, instead of what the document declares. */
  authentication?: ImportAuthentication | undefined;
  /** The title of the tool, instead of the item's. */
  title?: string | undefined;
};

/** Identifies what users edit in a definition: all but its visibility. The same before and after it is saved. */
export function hashDefinition(definition: CreateToolInput): string {
  const content = { ...definition, ...normalizeDefinition(definition), visibility: undefined };
  return sha256(canonicalize(content) ?? "");
}

/** The latest state of an item of an import. */
export type ItemState = {
  /** Empty if the item was removed. */
  latestHash: string;
  /** Whether runs are refused while a tool differs from its item. */
  isPinned: boolean;
  /** Identifies what the import offers: all its items. */
  importHash: string;
};

/** The latest state of the item of a link. Undefined if the import was deleted. */
export async function findItemState(
  { kysely }: Database,
  workspaceId: string,
  { importId, key }: ImportLink,
): Promise<ItemState | undefined> {
  const row = await kysely
    .selectFrom("imports")
    .select(["kind", "item_hashes", "hash"])
    .where("id", "=", importId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const hashes = row.item_hashes ?? (await formatStoredItems(kysely, importId));
  const latestHash = findItemHash(hashes, key);
  return { latestHash, isPinned: row.kind === "mcp", importHash: row.hash };
}

/** For an import that was stored before its hashes were. */
async function formatStoredItems(kysely: Database["kysely"], importId: string): Promise<string> {
  const { items } = await kysely
    .selectFrom("imports")
    .select("items")
    .where("id", "=", importId)
    .executeTakeFirstOrThrow();
  const parsed = JSON.parse(items) as { key: string; hash: string }[];
  return formatItemHashes(new Map(parsed.map((item) => [item.key, item.hash])));
}

/**
 * Rolls the transaction back if the items of the import changed since they were read, and makes concurrent checks of it read
 * again. So what the transaction writes about items is their latest state. Concurrent transactions with this step run one after
 * the other.
 */
export function lockImport(
  { kysely }: Database,
  { importId, importHash }: { importId: string; importHash: string },
): TransactionStep {
  const query = kysely
    .updateTable("imports")
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", importId)
    .where("hash", "=", importHash)
    .compile();
  return { query, mustChange: true };
}

/** Rolls the transaction back if the item has a tool that the viewer may see. It must come after {@link lockImport}. */
export function requireNoTool(
  db: Database,
  viewer: Viewer,
  item: Pick<ImportLink, "importId" | "key">,
): TransactionStep {
  const query = db.kysely
    .selectNoFrom((eb) => eb.lit(1).as("free"))
    .where((eb) => eb.not(eb.exists(toolsOfItem(db, viewer, item).select("tools.id"))))
    .compile();
  return { query, mustChange: true };
}

/** Links a new tool to the item that it was made from. The transaction must contain {@link lockImport}. */
export function linkNewTool(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
  { importId, key, options, definitionHash, generated }: ImportLink,
  { latestHash }: ItemState,
): CompiledQuery {
  return kysely
    .insertInto("tool_imports")
    .values({
      tool_id: id,
      workspace_id: workspaceId,
      import_id: importId,
      item_key: key,
      latest_hash: latestHash,
      options: JSON.stringify(options),
      definition_hash: definitionHash,
      generated: generated === undefined ? null : JSON.stringify(generated),
    })
    .compile();
}

/** Records what the next version of a tool was made from. The transaction must contain {@link lockImport}. */
export function relinkTool(
  { kysely }: Database,
  { id }: { id: string },
  { importId, definitionHash, generated }: ImportLink,
  { latestHash, isPinned }: ItemState,
): CompiledQuery[] {
  return [
    kysely
      .updateTable("tool_imports")
      .set({
        latest_hash: latestHash,
        definition_hash: definitionHash,
        generated: generated === undefined ? null : JSON.stringify(generated),
      })
      .where("tool_id", "=", id)
      .where("import_id", "=", importId)
      .compile(),
    kysely
      .updateTable("tools")
      .set({ pinned_hash: pinnedHash({ latestHash, isPinned }) })
      .where("id", "=", id)
      .compile(),
  ];
}

/** The hash that versions of a tool must have to run. */
export function pinnedHash({
  latestHash,
  isPinned,
}: Pick<ItemState, "latestHash" | "isPinned">): string | null {
  return isPinned ? latestHash : null;
}

/** A tool that came from an import. */
export type LinkedTool = Pick<
  ToolImportTable,
  "tool_id" | "item_key" | "latest_hash" | "options" | "definition_hash"
> & {
  name: string;
  pinned_hash: string | null;
  /** The hash of the item that the live version was made from. */
  item_hash: string | null;
};

/** The tools that came from an import, are not archived, and that the viewer may see. */
export async function findLinkedTools(
  { kysely }: Database,
  viewer: Viewer,
  importId: string,
): Promise<LinkedTool[]> {
  return kysely
    .selectFrom("tool_imports")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .select([
      "tool_imports.tool_id",
      "tool_imports.item_key",
      "tool_versions.item_hash",
      "tool_imports.latest_hash",
      "tool_imports.options",
      "tool_imports.definition_hash",
      "tools.name",
      "tools.pinned_hash",
    ])
    .where("tool_imports.import_id", "=", importId)
    .where("tools.archived_at", "is", null)
    .where(isOwn(viewer.workspaceId, viewer.userId))
    .orderBy("tool_imports.item_key")
    .orderBy("tool_imports.tool_id")
    .execute();
}

/** The definitions that an import made of tools, by ID, as far as they are stored. */
export async function findGenerated(
  { kysely }: Database,
  { workspaceId }: Pick<Viewer, "workspaceId">,
  toolIds: readonly string[],
): Promise<Map<string, CreateToolInput>> {
  if (toolIds.length === 0) return new Map();
  const rows = await kysely
    .selectFrom("tool_imports")
    .select(["tool_id", "generated"])
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "in", toolIds)
    .where("generated", "is not", null)
    .$narrowType<{ generated: string }>()
    .execute();
  return new Map(
    rows.map(({ tool_id: id, generated }) => [id, JSON.parse(generated) as CreateToolInput]),
  );
}

/** The name of a tool of an item that is not archived and that the viewer may see. */
export async function findToolOfItem(
  db: Database,
  viewer: Viewer,
  item: Pick<ImportLink, "importId" | "key">,
): Promise<string | undefined> {
  const row = await toolsOfItem(db, viewer, item)
    .select("tools.name")
    .orderBy("tool_imports.tool_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

function toolsOfItem(
  { kysely }: Database,
  viewer: Viewer,
  { importId, key }: Pick<ImportLink, "importId" | "key">,
) {
  return kysely
    .selectFrom("tool_imports")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .where("tool_imports.import_id", "=", importId)
    .where("tool_imports.item_key", "=", key)
    .where("tools.archived_at", "is", null)
    .where(isOwn(viewer.workspaceId, viewer.userId));
}

/** The titles of imports of a workspace by ID, as far as they exist. */
export async function findImportTitles(
  { kysely }: Database,
  { workspaceId }: Pick<Viewer, "workspaceId">,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await kysely
    .selectFrom("imports")
    .select(["id", "title", "custom_title"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, title, custom_title: custom }) => [id, custom ?? title]));
}

/** The import that a tool came from. */
export async function findImportOfTool(
  { kysely }: Database,
  viewer: Viewer,
  toolName: string,
): Promise<string | undefined> {
  const row = await kysely
    .selectFrom("tool_imports")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .select("tool_imports.import_id")
    .where("tools.name", "=", toolName)
    .where(isOwn(viewer.workspaceId, viewer.userId))
    .executeTakeFirst();
  return row?.import_id;
}
