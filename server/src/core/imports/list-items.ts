import type { ImportItem } from "@toolhost/contract";
import { findLinkedTools } from "#core/catalog";
import type { LinkedTool } from "#core/catalog";
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
  state?: "tool" | "draft" | "none" | "changed" | "on_hold" | "new" | undefined;
  method?: string | undefined;
  limit: number;
  /** The index of the first item. */
  from: number;
};

/** A page of the items of an import, in the order of the document or server; of a search, the best first. Throws `not_found`. */
export async function listImportItems(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { q, limit, from, ...filter }: Filter,
): Promise<{ items: ImportItem[]; next: number | undefined; total: number }> {
  const row = await findImport(context, caller, id);
  const { items, searchTexts } = await findItems(context, row);
  const tools = new Map(
    (await findLinkedTools(context.db, caller, id)).map((tool) => [tool.item_key, tool]),
  );
  const drafts = await findImportedDrafts(context, caller, id);
  const now = context.clock.now();
  const made = ({ key }: StoredItem) => ({ tool: tools.get(key), draftId: drafts.get(key), now });
  const match = createMatcher(q ?? "");
  const ranks: StoredItem[][] = [[], [], []];
  for (const [at, item] of items.entries()) {
    const text = searchTexts[at];
    const isShown = text !== undefined && isMatch(item, stateOf(item, made(item)), filter);
    const rank = isShown ? match(text) : undefined;
    if (rank !== undefined) ranks[rank]?.push(item);
  }
  const matches = ranks.flat();
  const rest = matches.slice(from, from + limit + 1);
  const { shown, next } = cutPage(rest, limit, () => from + limit);
  const present = (item: StoredItem) => presentItem(item, made(item));
  return { items: shown.map(present), next, total: matches.length };
}

type Made = { tool: LinkedTool | undefined; draftId: string | undefined; now: number };

/** For so long, an item that a check found is marked as new. */
const newMs = 14 * 86_400_000;

function stateOf({ addedAt }: StoredItem, { tool, draftId, now }: Made) {
  const isMade = tool !== undefined || draftId !== undefined;
  return {
    toolName: tool?.name ?? null,
    draftId: draftId ?? null,
    isNew: !isMade && addedAt !== undefined && now - addedAt < newMs,
    isChanged: tool !== undefined && tool.latest_hash !== tool.item_hash,
    isOnHold: tool !== undefined && isHeld(tool),
  };
}

function isHeld({ pinned_hash: pinned, item_hash: approved }: LinkedTool): boolean {
  return pinned !== null && pinned !== approved;
}

function isMatch(
  item: StoredItem,
  { toolName, draftId, isNew, isChanged, isOnHold }: ReturnType<typeof stateOf>,
  { tag, imported, state, method }: Omit<Filter, "q" | "limit" | "from">,
): boolean {
  const states = {
    tool: toolName !== null,
    draft: toolName === null && draftId !== null,
    none: toolName === null && draftId === null,
    changed: isChanged,
    on_hold: isOnHold,
    new: isNew,
  };
  return (
    (tag === undefined || item.tags.includes(tag)) &&
    (imported === undefined || (toolName !== null) === imported) &&
    (state === undefined || states[state]) &&
    (method === undefined || item.key.startsWith(`${method} `))
  );
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

function presentItem(item: StoredItem, made: Made): ImportItem {
  const { key, hash, title, description, tags } = item;
  const { isDeprecated, schemaBytes, security, scopes = {}, problem } = item;
  return {
    key,
    hash,
    title,
    description,
    tags,
    isDeprecated,
    schemaBytes,
    security,
    scopes: scopes as Record<string, string[]>,
    problem,
    ...stateOf(item, made),
  };
}
