import { hashOf } from "./tool-text.ts";
import { createVectorLayers } from "./vector-layers.ts";
import type { VectorLayers } from "./vector-layers.ts";
import type { Vector } from "./vector.ts";

/** A text whose vector is not known yet. */
export type WantedVector = { hash: string; text: string };

/** The vectors of a workspace's tools, and the tools that have none yet. */
export type ToolVectors = Omit<VectorLayers, "set" | "delete"> & {
  /** Adds or changes a tool. A tool with an owner is found by the owner only. */
  put(id: string, owner: string | null, text: string): void;
  remove(id: string): void;
  /** Texts without a vector, the oldest first. */
  wanted(limit: number): WantedVector[];
  /** Sets the vector of tools with a text; without a vector, they are no longer wanted. */
  provide(hash: string, vector: Vector | undefined): void;
  /** The hashes of all texts, for one caller: undefined once they were taken. */
  takeHashes(): ReadonlySet<string> | undefined;
};

type Tool = { owner: string | null; hash: string; vector: Vector | undefined };

/** `prefix` precedes each text that is embedded. */
export function createToolVectors(prefix: string): ToolVectors {
  const layers = createVectorLayers();
  const tools = new Map<string, Tool>();
  const wanted = new Map<string, { text: string; ids: Set<string> }>();
  let areHashesTaken = false;

  function remove(id: string): void {
    const tool = tools.get(id);
    if (tool === undefined) return;
    layers.delete(tool.owner, id);
    tools.delete(id);
    const waiting = wanted.get(tool.hash);
    waiting?.ids.delete(id);
    if (waiting?.ids.size === 0) wanted.delete(tool.hash);
  }

  function want(hash: string, text: string, id: string): void {
    const known = wanted.get(hash) ?? { text, ids: new Set() };
    known.ids.add(id);
    wanted.set(hash, known);
  }

  return {
    ...layers,
    put(id, owner, unprefixed) {
      const text = prefix + unprefixed;
      const hash = hashOf(text);
      const before = tools.get(id);
      if (before?.hash === hash && before.owner === owner) return;
      remove(id);
      const vector = before?.hash === hash ? before.vector : undefined;
      tools.set(id, { owner, hash, vector });
      if (vector === undefined) want(hash, text, id);
      else layers.set(owner, id, vector);
    },
    remove,
    wanted: (limit) =>
      Iterator.from(wanted)
        .take(limit)
        .map(([hash, { text }]) => ({ hash, text }))
        .toArray(),
    provide(hash, vector) {
      for (const id of vector === undefined ? [] : (wanted.get(hash)?.ids ?? [])) {
        const tool = tools.get(id);
        if (tool === undefined || vector === undefined) continue;
        tool.vector = vector;
        layers.set(tool.owner, id, vector);
      }
      wanted.delete(hash);
    },
    takeHashes() {
      if (areHashesTaken) return undefined;
      areHashesTaken = true;
      return new Set(Iterator.from(tools.values()).map(({ hash }) => hash));
    },
  };
}
