import type { Database } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import { parseInTurns } from "#lib/parse-in-turns";
import { createSlots } from "#lib/slots";
import type { Slots } from "#lib/slots";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { findItemsText } from "./import-store.ts";
import type { Content, ImportRow } from "./import-store.ts";
import { toSearchText } from "./search-items.ts";
import type { SearchText } from "./search-items.ts";
import type { StoredItem } from "./stored-import.ts";

/** The items of one revision of an import. */
export type LoadedItems = {
  items: readonly StoredItem[];
  /** What a search finds of each item. */
  searchTexts: readonly SearchText[];
  /** Length of the stored JSON. */
  size: number;
};

/** Items that were parsed recently: an import may have 10 MB of them, which each page of a list needs. */
export type ItemCache = {
  loaded: LruMap<string, LoadedItems>;
  loading: Map<string, Promise<LoadedItems>>;
  slots: Slots;
};

const maxImports = 100;
const maxSize = 32 * 1024 * 1024;
const itemsPerTurn = 500;
/** JSON has no line breaks within strings, so this separates items only. */
const separator = ",\n";

export function createItemCache(): ItemCache {
  return {
    loaded: createLruMap(maxImports, { max: maxSize, of: ({ size }) => size }),
    loading: new Map(),
    slots: createSlots(2),
  };
}

/** The items of an import that the caller may see. Throws `unavailable` if they changed since the row was read. */
export async function findItems(
  { db, imports }: { db: Database; imports: { items: ItemCache } },
  row: Content & Pick<ImportRow, "revision">,
): Promise<LoadedItems> {
  const { loaded, loading, slots } = imports.items;
  const key = `${row.workspace_id} ${row.id} ${row.revision}`;
  const found = loaded.get(key) ?? loading.get(key);
  if (found !== undefined) return found;
  const started = slots.use(() => load(db, row));
  loading.set(key, started);
  try {
    const items = await started;
    loaded.set(key, items);
    return items;
  } finally {
    loading.delete(key);
  }
}

async function load(db: Database, row: Content): Promise<LoadedItems> {
  const text = await findItemsText(db, row);
  if (text === undefined) throw changedMeanwhile();
  const parts = text.slice(1, -1).split(separator);
  const items = (await parseInTurns<StoredItem[]>(parts.map((part) => `[${part}]`))).flat();
  const searchTexts: SearchText[] = [];
  for (const item of items) {
    searchTexts.push(toSearchText(item));
    if (searchTexts.length % itemsPerTurn === 0) await yieldToEventLoop();
  }
  return { items, searchTexts, size: text.length };
}

/** The items as JSON that `findItems` parses item by item. */
export async function toStoredItems(items: readonly StoredItem[]): Promise<string> {
  const texts: string[] = [];
  for (const item of items) {
    texts.push(JSON.stringify(item));
    if (texts.length % itemsPerTurn === 0) await yieldToEventLoop();
  }
  return `[${texts.join(separator)}]`;
}
