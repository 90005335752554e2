import type {
  CreateDraftInput,
  CreateToolInput,
  Draft,
  DraftSummary,
  JsonObject,
  UpdateDraftInput,
} from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, notFound } from "#core/kernel";
import type { DraftsContext } from "./context.ts";
import { capDraftBytes, checkCopy, findImportTitles, findToolToChange } from "#core/catalog";
import type { ImportLink, SourcedTool } from "#core/catalog";
import type { Database, TransactionStep } from "#db";
import { isId, newId } from "#lib/ids";
import { checkRevision, presentDraft, presentSummary, titleOf } from "./draft.ts";
import {
  countDraftRows,
  deleteDraftRow,
  findDraft,
  insertDraft,
  listDraftRows,
  listChangeDraftRows,
  listImportedDraftRows,
  requireNoLinkedDraft,
  saveDraftRow,
} from "./draft-store.ts";
import type { DraftRow } from "./draft-store.ts";

/** The caller's own draft. Throws `not_found`. */
export async function findOwnDraft(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
  id: string,
): Promise<DraftRow> {
  const row = isId(id) ? await findDraft(db, caller, id) : undefined;
  if (row === undefined) throw notFound("not_found", "draft", { id });
  return row;
}

/** The caller's drafts, newest first. */
export async function listDrafts(
  { db }: DraftsContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; toolName: string | undefined },
): Promise<DraftSummary[]> {
  const rows = await listDraftRows(db, caller, page);
  const origins = await findOrigins(db, caller, rows);
  return rows.map((row) => presentSummary(row, origins.get(row.id) ?? null));
}

/** The imports that drafts were made from, by the ID of the draft, as far as they exist. */
async function findOrigins(
  db: Database,
  caller: Pick<Caller, "workspaceId">,
  rows: readonly Pick<DraftRow, "id" | "import_link">[],
) {
  const links = rows.flatMap((row) => {
    const link = readStoredLink(row);
    return link === undefined ? [] : [{ draftId: row.id, importId: link.importId, key: link.key }];
  });
  const ids = [...new Set(links.map(({ importId }) => importId))];
  const titles = await findImportTitles(db, caller, ids);
  return new Map(
    links.flatMap(({ draftId, importId: id, key }) => {
      const title = titles.get(id);
      return title === undefined ? [] : [[draftId, { id, title, key }] as const];
    }),
  );
}

async function findOrigin(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
  row: Pick<DraftRow, "id" | "import_link">,
) {
  return (await findOrigins(db, caller, [row])).get(row.id) ?? null;
}

export async function getDraft(context: DraftsContext, caller: Caller, id: string): Promise<Draft> {
  const row = await findOwnDraft(context, caller, id);
  return presentDraft(row, await findOrigin(context, caller, row));
}

/**
 * Creates a draft of a new tool, or from the live version of one. The definition is not validated.
 * Throws `tool_not_found`, `definition_changed` for a copy of a tool on hold, `forbidden`, `draft_limit`, and `quota_exceeded`.
 */
export async function createDraft(
  context: DraftsContext,
  caller: Caller,
  { toolName, copyOf, definition }: CreateDraftInput,
): Promise<Draft> {
  const tool = toolName == null ? undefined : await findToolToChange(context, caller, toolName);
  const { isOwn } = copyOf == null ? { isOwn: true } : await checkCopy(context, caller, copyOf);
  const { created, steps } = planDraft(context, caller, { tool, isOwn, definition });
  if (!(await commitWrite(context, caller, created, steps))) throw lostKey();
  return created;
}

type NewDraft = {
  /** The tool that the draft changes. */
  tool?: Pick<SourcedTool, "id" | "name" | "version"> | undefined;
  /** The caller wrote or chose all of the definition. */
  isOwn: boolean;
  definition: JsonObject;
  /** The item of an import that the definition was made from. */
  importLink?: ImportLink | undefined;
  /** That import and item, as it is shown. */
  origin?: Draft["import"] | undefined;
};

/** Plans the insertion of a draft. */
export function planDraft(
  context: DraftsContext,
  caller: Caller,
  { tool, isOwn, definition, importLink, origin }: NewDraft,
): { created: Draft; steps: TransactionStep[] } {
  const now = context.clock.now();
  const row = {
    id: newId(),
    workspace_id: caller.workspaceId,
    user_id: caller.userId,
    tool_id: tool?.id ?? null,
    base_version: tool?.version ?? null,
    title: titleOf(definition),
    definition: JSON.stringify(definition),
    revision: 1,
    created_at: now,
    updated_at: now,
    used_at: now,
    saved_with_right: caller.scopes.has("credentials:write") && isOwn ? 1 : 0,
    approved_needs: null,
    ...importColumns(importLink),
    example_results: null,
  };
  const created = presentDraft({ ...row, tool_name: tool?.name ?? null }, origin ?? null);
  const details = tool === undefined ? {} : { toolName: tool.name };
  const steps = [
    ...insertDraft(context, row),
    auditInsert(context, caller, { action: "draft.create", target: row.id, details }),
  ];
  return { created, steps };
}

/** What the import generated is in a column of its own, because lists of drafts read the rest. */
function importColumns(importLink: ImportLink | undefined) {
  if (importLink === undefined) return { import_link: null, generated: null };
  const { generated, importId, key, ...link } = importLink;
  return {
    // `requireNoDraft` finds the item by the start of this text.
    import_link: JSON.stringify({ importId, key, ...link }),
    generated: generated === undefined ? null : JSON.stringify(generated),
  };
}

/** Rolls the transaction back if the caller has a draft of a new tool that was made from the item of an import. */
export function requireNoDraft(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
  { importId, key }: Pick<ImportLink, "importId" | "key">,
): TransactionStep {
  return requireNoLinkedDraft(db, caller, `${JSON.stringify({ importId, key }).slice(0, -1)},`);
}

type StoredLink = Omit<ImportLink, "generated">;

/** The item of an import that a draft was made from. */
function readStoredLink({ import_link: link }: Pick<DraftRow, "import_link">) {
  return link === null ? undefined : (JSON.parse(link) as StoredLink);
}

/** The item of an import that publishing the draft links the tool to. */
export function readImportLink(
  row: Pick<DraftRow, "import_link" | "generated">,
): ImportLink | undefined {
  const link = readStoredLink(row);
  if (link === undefined) return undefined;
  const { generated } = row;
  return {
    ...link,
    generated: generated === null ? undefined : (JSON.parse(generated) as CreateToolInput),
  };
}

/** How many more drafts the caller may create. */
export async function countFreeDrafts(
  { config, db }: Pick<DraftsContext, "config" | "db">,
  { userId }: Pick<Caller, "userId">,
): Promise<number> {
  const max = config.USER_MAX_DRAFTS;
  return max === 0 ? Infinity : Math.max(0, max - (await countDraftRows(db, userId)));
}

/** The keys of items of which the caller has drafts of new tools, by the ID of their import. */
export async function findDraftedItems(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
): Promise<Map<string, Set<string>>> {
  const keys = new Map<string, Set<string>>();
  for (const row of await listImportedDraftRows(db, caller)) {
    const link = readStoredLink(row);
    if (link === undefined) continue;
    keys.set(link.importId, (keys.get(link.importId) ?? new Set()).add(link.key));
  }
  return keys;
}

/** Plans the deletion of the drafts of new tools that the caller has from an import. */
export async function planImportedDraftDeletion(
  context: DraftsContext,
  caller: Caller,
  importId: string,
): Promise<TransactionStep[]> {
  const rows = await listImportedDraftRows(context.db, caller);
  const imported = rows.filter((row) => readStoredLink(row)?.importId === importId);
  return imported.flatMap(({ id }) => [
    deleteDraftRow(context.db, caller, { id }),
    auditInsert(context, caller, { action: "draft.delete", target: id }),
  ]);
}

/** The ID of the caller's latest draft of a new tool for each item of an import that has one. */
export async function findImportedDrafts(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
  importId: string,
): Promise<Map<string, string>> {
  const rows = await listImportedDraftRows(db, caller);
  const linked = rows.map((row) => ({ id: row.id, link: readStoredLink(row) }));
  return new Map(
    linked.flatMap(({ id, link }) => (link?.importId === importId ? [[link.key, id]] : [])),
  );
}

/** The caller's latest draft of a change of each tool of an import that has one, with the hash of the item that it was made from. */
export async function findChangeDrafts(
  { db }: Pick<DraftsContext, "db">,
  caller: Caller,
  importId: string,
): Promise<Map<string, { draftId: string; itemHash: string }>> {
  const rows = await listChangeDraftRows(db, caller);
  return new Map(
    rows.flatMap((row) => {
      const link = readStoredLink(row);
      if (row.tool_id === null || link?.importId !== importId) return [];
      return [[row.tool_id, { draftId: row.id, itemHash: link.hash }]];
    }),
  );
}

/**
 * Saves a draft over the given revision. Saves are not audited, since only the author sees a draft. Throws `not_found`,
 * `quota_exceeded`, and `draft_changed` if the draft was saved elsewhere, in which case nothing is overwritten.
 */
export async function saveDraft(
  context: DraftsContext,
  caller: Caller,
  id: string,
  { revision, definition }: UpdateDraftInput,
): Promise<DraftSummary> {
  const row = await findOwnDraft(context, caller, id);
  checkRevision(row, revision);
  const now = context.clock.now();
  const title = titleOf(definition);
  const saved = { ...row, title, revision: revision + 1, updated_at: now };
  const isWithRight = caller.scopes.has("credentials:write");
  const change = { id, revision, title, definition: JSON.stringify(definition), now, isWithRight };
  const summary = presentSummary(saved, await findOrigin(context, caller, row));
  const isSaved = await commitWrite(context, caller, summary, [
    { query: saveDraftRow(context.db, caller, change), mustChange: true },
    ...capDraftBytes(context, caller.workspaceId),
  ]);
  if (isSaved) return summary;
  checkRevision(await findOwnDraft(context, caller, id), revision);
  throw lostKey();
}

/** Throws `not_found`. */
export async function deleteDraft(
  context: DraftsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const isDeleted =
    isId(id) &&
    (await commitWrite(context, caller, null, [
      { query: deleteDraftRow(context.db, caller, { id }), mustChange: true },
      auditInsert(context, caller, { action: "draft.delete", target: id }),
    ]));
  if (!isDeleted) throw notFound("not_found", "draft", { id });
}
