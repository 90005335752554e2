import type { Steps } from "#lib/steps";
import { createShortlist } from "../search/shortlist.ts";
import { cosine } from "./vector.ts";
import type { Vector } from "./vector.ts";

/** Vectors of tools by who sees them: everyone (null), or their owner only. */
export type VectorLayers = {
  set(owner: string | null, id: string, vector: Vector): void;
  delete(owner: string | null, id: string): void;
  /** The most similar tools that a user sees, in steps of a few milliseconds. */
  findSimilar(query: Vector, user: string, limit: number): Steps<readonly string[]>;
  /** The similarity of a tool that the user sees; undefined without a vector. */
  similarityOf(query: Vector, user: string, id: string): number | undefined;
  /** The dimension of the vectors; undefined without any. */
  dimension(): number | undefined;
  bytes(): number;
};

/** A step compares about as many numbers, which takes a millisecond. */
const numbersAtOnce = 300_000;

export function createVectorLayers(): VectorLayers {
  const layers = new Map<string | null, Map<string, Vector>>();
  let dimension: number | undefined;
  let bytes = 0;

  function remove(owner: string | null, id: string): void {
    const layer = layers.get(owner);
    bytes -= layer?.get(id)?.values.length ?? 0;
    layer?.delete(id);
    if (layer?.size === 0) layers.delete(owner);
  }

  return {
    set(owner, id, vector) {
      remove(owner, id);
      const layer = layers.get(owner) ?? new Map<string, Vector>();
      layers.set(owner, layer.set(id, vector));
      dimension = vector.values.length;
      bytes += dimension;
    },
    delete: remove,
    *findSimilar(query, user, limit) {
      const best = createShortlist<{ id: string }>(limit);
      let numbers = 0;
      for (const owner of [null, user]) {
        for (const [id, vector] of layers.get(owner) ?? []) {
          // Vectors of different dimensions are from different models.
          if (vector.values.length !== query.values.length) continue;
          const similarity = cosine(query, vector);
          if (similarity >= best.minScore()) best.add({ id }, similarity);
          numbers += vector.values.length;
          if (numbers < numbersAtOnce) continue;
          numbers = 0;
          yield;
        }
      }
      return best.list().map(({ item }) => item.id);
    },
    similarityOf(query, user, id) {
      const vector = layers.get(null)?.get(id) ?? layers.get(user)?.get(id);
      const isComparable = vector?.values.length === query.values.length;
      return isComparable && vector !== undefined ? cosine(query, vector) : undefined;
    },
    dimension: () => dimension,
    bytes: () => bytes,
  };
}
