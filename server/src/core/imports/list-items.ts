import type { ImportItem } from "@toolhost/contract";
import { findLinkedTools } from "#core/catalog";
import { findImportedDrafts } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { cutPage } from "#lib/page";
import type { ImportsContext } from "./context.ts";
import { findImport } from "./imports.ts";
import { findItems } from "./item-cache.ts";
import { createMatcher } from "./search-items.ts";
import type { StoredItem } from "./stored-import.ts";

type Filter = {
  q?: string | undefined;
  tag?: string | undefined;
  imported?: boolean | undefined;
  limit: number;
  /** The index of the first item. */
  from: number;
};

/** A page of the items of an import, in the order of the document or server; of a search, the best first. Throws `not_found`. */
export async function listImportItems(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { q, tag, imported, limit, from }: Filter,
): Promise<{ items: ImportItem[]; next: number | undefined; total: number }> {
  const row = await findImport(context, caller, id);
  const { items, searchTexts } = await findItems(context, row);
  const names = await findToolNames(context, caller, id);
  const drafts = await findImportedDrafts(context, caller, id);
  const match = createMatcher(q ?? "");
  const ranks: StoredItem[][] = [[], [], []];
  for (const [at, item] of items.entries()) {
    const text = searchTexts[at];
    const isShown =
      (tag === undefined || item.tags.includes(tag)) &&
      (imported === undefined || names.has(item.key) === imported);
    const rank = isShown && text !== undefined ? match(text) : undefined;
    if (rank !== undefined) ranks[rank]?.push(item);
  }
  const matches = ranks.flat();
  const rest = matches.slice(from, from + limit + 1);
  const { shown, next } = cutPage(rest, limit, () => from + limit);
  const present = (item: StoredItem) =>
    presentItem(item, { toolName: names.get(item.key), draftId: drafts.get(item.key) });
  return { items: shown.map(present), next, total: matches.length };
}

/** The name of a tool of each item that has one which the caller may see. */
export async function findToolNames(
  { db }: Pick<ImportsContext, "db">,
  caller: Caller,
  id: string,
): Promise<Map<string, string>> {
  const linked = await findLinkedTools(db, caller, id);
  return new Map(linked.map(({ item_key: key, name }) => [key, name]));
}

type Made = { toolName: string | undefined; draftId: string | undefined };

function presentItem(item: StoredItem, { toolName, draftId }: Made): ImportItem {
  const { key, hash, title, description, tags } = item;
  const { isDeprecated, schemaBytes, security, problem } = item;
  return {
    key,
    hash,
    title,
    description,
    tags,
    isDeprecated,
    schemaBytes,
    security,
    problem,
    toolName: toolName ?? null,
    draftId: draftId ?? null,
  };
}
