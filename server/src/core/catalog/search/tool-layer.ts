import { addDocument, createInvertedIndex, removeDocument } from "./inverted-index.ts";
import type { Fields } from "./inverted-index.ts";
import { createNearTerms } from "./near-terms.ts";
import type { Layer } from "./resolve-terms.ts";
import { titleTerms } from "./tool-fields.ts";
import type { SearchableTool } from "./tool-fields.ts";

/** A tool in an index. */
export type ToolEntry = {
  id: string;
  name: string;
  slot: number;
  isShared: boolean;
  /** The terms of its title. */
  title: string;
  /** The terms of its name and title. */
  words: readonly string[];
};

/** A tool and how well it matches a query. */
export type Match = { item: ToolEntry; score: number };

/** The tools that everyone sees, or those that only their owner sees. */
export type ToolLayer = Layer & {
  owner: string | null;
  entries: ReadonlyMap<string, ToolEntry>;
  byName: ReadonlyMap<string, ToolEntry>;
  bySlot: readonly (ToolEntry | undefined)[];
  /** Adds a tool that is not in the layer yet. */
  add(tool: SearchableTool, fields: Fields): void;
  remove(id: string): void;
};

export function createToolLayer(owner: string | null = null): ToolLayer {
  const index = createInvertedIndex();
  const entries = new Map<string, ToolEntry>();
  const byName = new Map<string, ToolEntry>();
  const bySlot: (ToolEntry | undefined)[] = [];
  return {
    owner,
    index,
    near: createNearTerms(index.vocabulary),
    entries,
    byName,
    bySlot,
    add({ id, name, title }, fields) {
      const words = [...new Set(fields.name)];
      const slot = addDocument(index, fields);
      const terms = titleTerms(title).join(" ");
      const entry = { id, name, slot, isShared: owner === null, title: terms, words };
      entries.set(id, entry);
      byName.set(name, entry);
      bySlot[slot] = entry;
    },
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      removeDocument(index, entry.slot);
      entries.delete(id);
      byName.delete(entry.name);
      bySlot[entry.slot] = undefined;
    },
  };
}
