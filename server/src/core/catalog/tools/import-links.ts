import canonicalize from "canonicalize";
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { CreateToolInput } from "@toolhost/contract";
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
};

/** Identifies what users edit in a definition: all but its visibility. The same before and after it is saved. */
export function hashDefinition(definition: CreateToolInput): string {
  const content = { ...definition, ...normalizeDefinition(definition), visibility: undefined };
  return sha256(canonicalize(content) ?? "");
}

/** Links a new tool, unless the import was deleted since the definition was made. */
export function linkNewTool(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
  { importId, key, hash, options, definitionHash }: ImportLink,
): CompiledQuery {
  return kysely
    .insertInto("tool_imports")
    .columns([
      "tool_id",
      "workspace_id",
      "import_id",
      "item_key",
      "item_hash",
      "latest_hash",
      "options",
      "definition_hash",
    ])
    .expression((from) =>
      from
        .selectFrom("imports")
        .select([
          sql<string>`cast(${id} as text)`.as("tool_id"),
          "imports.workspace_id",
          "imports.id as import_id",
          sql<string>`cast(${key} as text)`.as("item_key"),
          sql<string>`cast(${hash} as text)`.as("item_hash"),
          sql<string>`cast(${hash} as text)`.as("latest_hash"),
          sql<string>`cast(${JSON.stringify(options)} as text)`.as("options"),
          sql<string>`cast(${definitionHash} as text)`.as("definition_hash"),
        ])
        .where("imports.id", "=", importId)
        .where("imports.workspace_id", "=", workspaceId),
    )
    .compile();
}

/** Records what the next version of a tool was made from. Ends its hold if that is the latest state of the item. */
export function relinkTool(
  { kysely }: Database,
  { id }: { id: string },
  { importId, hash, definitionHash }: ImportLink,
): CompiledQuery[] {
  const isLatest = sql<boolean>`exists (select 1 from tool_imports
    where tool_imports.tool_id = tools.id and tool_imports.latest_hash = ${hash})`;
  return [
    kysely
      .updateTable("tool_imports")
      .set({ item_hash: hash, definition_hash: definitionHash })
      .where("tool_id", "=", id)
      .where("import_id", "=", importId)
      .compile(),
    kysely.updateTable("tools").set({ hold: null }).where("id", "=", id).where(isLatest).compile(),
  ];
}

/** A tool that came from an import. */
export type LinkedTool = Pick<
  ToolImportTable,
  "tool_id" | "item_key" | "item_hash" | "latest_hash" | "options" | "definition_hash"
> & { name: string; hold: string | null };

/** The tools that came from an import, are not archived, and that the viewer may see. */
export async function findLinkedTools(
  { kysely }: Database,
  viewer: Viewer,
  importId: string,
): Promise<LinkedTool[]> {
  return kysely
    .selectFrom("tool_imports")
    .innerJoin("tools", "tools.id", "tool_imports.tool_id")
    .select([
      "tool_imports.tool_id",
      "tool_imports.item_key",
      "tool_imports.item_hash",
      "tool_imports.latest_hash",
      "tool_imports.options",
      "tool_imports.definition_hash",
      "tools.name",
      "tools.hold",
    ])
    .where("tool_imports.import_id", "=", importId)
    .where("tools.archived_at", "is", null)
    .where(isOwn(viewer.workspaceId, viewer.userId))
    .orderBy("tool_imports.item_key")
    .orderBy("tool_imports.tool_id")
    .execute();
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
  const steps = isPinned ? [...changed, holdChanged(kysely, importId)] : changed;
  return { steps, changed: changed.length };
}

/** Derives the holds of an import's tools from their links. */
function holdChanged(kysely: Database["kysely"], importId: string): CompiledQuery {
  const hold = sql<string | null>`(select case
      when link.latest_hash = link.item_hash then null
      when link.latest_hash = '' then 'definition_removed'
      else 'definition_changed' end
    from tool_imports as link where link.tool_id = tools.id)`;
  return kysely
    .updateTable("tools")
    .set({ hold })
    .where("id", "in", (from) =>
      from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
    )
    .compile();
}

/** Ends the links of an import's tools, and their holds. */
export function unlinkTools({ kysely }: Database, importId: string): CompiledQuery[] {
  return [
    kysely
      .updateTable("tools")
      .set({ hold: null })
      .where("hold", "is not", null)
      .where("id", "in", (from) =>
        from.selectFrom("tool_imports").select("tool_id").where("import_id", "=", importId),
      )
      .compile(),
    kysely.deleteFrom("tool_imports").where("import_id", "=", importId).compile(),
  ];
}
