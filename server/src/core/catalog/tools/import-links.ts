import canonicalize from "canonicalize";
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { CreateToolInput, ImportAuthentication } from "@toolhost/contract";
import type { Database, ToolImportTable, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
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
};

/** Choices that hold for later versions of a tool as well. */
export type ImportOptions = {
  /** The base URL of the API, instead of the document's. */
  serverUrl?: string | undefined;
  /** Names of credentials by security scheme, instead of the defaults. */
  credentials?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How the API authenticates, instead of what the document declares. */
  authentication?: ImportAuthentication | undefined;
};

/** Identifies what users edit in a definition: all but its visibility. The same before and after it is saved. */
export function hashDefinition(definition: CreateToolInput): string {
  const content = { ...definition, ...normalizeDefinition(definition), visibility: undefined };
  return sha256(canonicalize(content) ?? "");
}

/** In `tools.pinned_hash`: no version may run, because it is unknown what the MCP server offers. */
export const uncheckedHash = "unchecked";

/** The latest state of an item of an import. */
export type ItemState = {
  /** Empty if the item was removed. */
  latestHash: string;
  /** Whether runs are refused while a tool differs from its item. */
  isPinned: boolean;
  /** Of the import. */
  revision: number;
};

/** The latest state of the item of a link. Undefined if the import was deleted. */
export async function findItemState(
  { kysely }: Database,
  workspaceId: string,
  { importId, key }: ImportLink,
): Promise<ItemState | undefined> {
  const row = await kysely
    .selectFrom("imports")
    .select(["kind", "items", "revision"])
    .where("id", "=", importId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const items = JSON.parse(row.items) as { key: string; hash: string }[];
  const latestHash = items.find((item) => item.key === key)?.hash ?? "";
  return { latestHash, isPinned: row.kind === "mcp", revision: row.revision };
}

/**
 * Rolls the transaction back if the import was changed since it was read, and makes concurrent checks of it read again. So what
 * the transaction writes about items is their latest state.
 */
export function lockImport(
  { kysely }: Database,
  { importId, revision }: { importId: string; revision: number },
): TransactionStep {
  const query = kysely
    .updateTable("imports")
    .set({ revision: revision + 1 })
    .where("id", "=", importId)
    .where("revision", "=", revision)
    .compile();
  return { query, mustChange: true };
}

/** Links a new tool to the item that it was made from. The transaction must contain {@link lockImport}. */
export function linkNewTool(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
  { importId, key, options, definitionHash }: ImportLink,
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
    })
    .compile();
}

/** Records what the next version of a tool was made from. The transaction must contain {@link lockImport}. */
export function relinkTool(
  { kysely }: Database,
  { id }: { id: string },
  { importId, definitionHash }: ImportLink,
  { latestHash, isPinned }: ItemState,
): CompiledQuery[] {
  return [
    kysely
      .updateTable("tool_imports")
      .set({ latest_hash: latestHash, definition_hash: definitionHash })
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

/** The name of a tool of an item that is not archived and that the viewer may see. */
export async function findToolOfItem(
  { kysely }: Database,
  viewer: Viewer,
  { importId, key }: Pick<ImportLink, "importId" | "key">,
): Promise<string | undefined> {
  const row = await kysely
    .selectFrom("tool_imports")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .select("tools.name")
    .where("tool_imports.import_id", "=", importId)
    .where("tool_imports.item_key", "=", key)
    .where("tools.archived_at", "is", null)
    .where(isOwn(viewer.workspaceId, viewer.userId))
    .orderBy("tool_imports.tool_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.name;
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

type Marking = {
  importId: string;
  /** The hashes of items by key. Items that are missing were removed. */
  hashes: ReadonlyMap<string, string>;
  /** Whether runs are refused while a tool differs from its item. */
  isPinned: boolean;
};

/** Records the latest state of the items of an import for all tools that came from it, and counts those that changed. */
export async function markLinkedTools(
  { kysely }: Database,
  { importId, hashes, isPinned }: Marking,
): Promise<{ steps: TransactionStep[]; changed: number }> {
  const rows = await kysely
    .selectFrom("tool_imports")
    .select(["tool_id", "item_key", "latest_hash"])
    .where("import_id", "=", importId)
    .execute();
  const changed = rows
    .map((row) => ({ ...row, hash: hashes.get(row.item_key) ?? "" }))
    .filter(({ hash, latest_hash: known }) => hash !== known)
    .map(({ tool_id: toolId, hash }) =>
      kysely
        .updateTable("tool_imports")
        .set({ latest_hash: hash })
        .where("tool_id", "=", toolId)
        .where("import_id", "=", importId)
        .compile(),
    );
  const steps = isPinned ? [...changed, pinLatest(kysely, importId)] : changed;
  return { steps, changed: changed.length };
}

function pinLatest(kysely: Database["kysely"], importId: string): CompiledQuery {
  const latest = sql<string>`(select link.latest_hash from tool_imports as link
    where link.tool_id = tools.id)`;
  return kysely
    .updateTable("tools")
    .set({ pinned_hash: latest })
    .where("id", "in", (from) =>
      from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
    )
    .compile();
}

/** Puts all tools of an import on hold until the next successful check. */
export function holdUnchecked({ kysely }: Database, importId: string): CompiledQuery {
  return kysely
    .updateTable("tools")
    .set({ pinned_hash: uncheckedHash })
    .where("id", "in", (from) =>
      from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
    )
    .compile();
}

/** Ends the links of an import's tools. Versions that may not run still may not. */
export function unlinkTools({ kysely }: Database, importId: string): CompiledQuery {
  return kysely.deleteFrom("tool_imports").where("import_id", "=", importId).compile();
}
