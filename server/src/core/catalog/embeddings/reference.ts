import { EmbeddingError } from "./client.ts";
import type { Vector } from "./vector.ts";

/** The vectors of the reference texts; none while they are unknown. They determine which vectors are comparable. */
export type Reference = { vectors: readonly Vector[] };

/** Whether a vector is known and of the current model. */
export function isComparable(reference: Reference, vector: Vector | undefined): vector is Vector {
  return vector !== undefined && vector.values.length === reference.vectors[0]?.values.length;
}

/** Throws if the provider changed the model, whose vectors cannot be compared with earlier ones. */
export function checkComparable(reference: Reference, vectors: readonly Vector[]): void {
  if (vectors.every((vector) => isComparable(reference, vector))) return;
  reference.vectors = [];
  throw new EmbeddingError("the dimension of the embeddings changed");
}
