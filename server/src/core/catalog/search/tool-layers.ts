import { fieldsOf } from "./tool-fields.ts";
import type { SearchableTool } from "./tool-fields.ts";
import { createToolLayer } from "./tool-layer.ts";
import type { ToolLayer } from "./tool-layer.ts";

/** The tools that everyone sees in one layer, and those of each owner in another. */
export type ToolLayers = {
  shared: ToolLayer;
  /** The layers that a user sees. */
  seenBy(user: string | undefined): ToolLayer[];
  /** Adds a tool, or replaces the one with its id. */
  put(tool: SearchableTool, owner: string | null): void;
  remove: (id: string) => void;
  isShared: (id: string) => boolean;
  size: () => number;
  /** A measure of memory use, of about 30 bytes. */
  terms: () => number;
};

/** Beyond `maxTerms`, only the names and titles of further tools are indexed. */
export function createToolLayers(maxTerms: number): ToolLayers {
  const shared = createToolLayer();
  const owned = new Map<string, ToolLayer>();
  const layers = new Map<string, ToolLayer>();
  let ownedTerms = 0;

  function layerOf(owner: string | null): ToolLayer {
    if (owner === null) return shared;
    const layer = owned.get(owner) ?? createToolLayer(owner);
    owned.set(owner, layer);
    return layer;
  }

  /** Changes a layer, and counts its terms. */
  function change(layer: ToolLayer, work: () => void): void {
    const before = layer.index.size;
    work();
    if (layer !== shared) ownedTerms += layer.index.size - before;
  }

  function remove(id: string): void {
    const layer = layers.get(id);
    if (layer === undefined) return;
    change(layer, () => layer.remove(id));
    layers.delete(id);
    if (layer.owner !== null && layer.entries.size === 0) owned.delete(layer.owner);
  }

  return {
    shared,
    seenBy: (user) => {
      const own = user === undefined ? undefined : owned.get(user);
      return own === undefined ? [shared] : [shared, own];
    },
    put: (tool, owner) => {
      remove(tool.id);
      const layer = layerOf(owner);
      const terms = layer === shared ? shared.index.size : ownedTerms;
      change(layer, () => layer.add(tool, fieldsOf(tool, terms < maxTerms)));
      layers.set(tool.id, layer);
    },
    remove,
    isShared: (id) => layers.get(id) === shared,
    size: () => layers.size,
    terms: () => shared.index.size + ownedTerms,
  };
}
