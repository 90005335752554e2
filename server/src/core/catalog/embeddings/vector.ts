/** The direction of an embedding in whole numbers from -127 to 127, a byte per dimension. */
export type Vector = { values: Int8Array; norm: number };

const maxValue = 127;

/** Quantizes an embedding; undefined if it has no direction. */
export function quantize(embedding: readonly number[]): Vector | undefined {
  let max = 0;
  for (const value of embedding) max = Math.max(max, Math.abs(value));
  if (!(max > 0) || max === Infinity) return undefined;
  const values = new Int8Array(embedding.length);
  for (let at = 0; at < values.length; at += 1)
    values[at] = Math.round(((embedding[at] ?? 0) / max) * maxValue);
  return toVector(values);
}

/** A vector from its stored bytes. */
export function toVector(values: Int8Array): Vector {
  let sum = 0;
  for (const value of values) sum += value * value;
  return { values, norm: Math.sqrt(sum) };
}

/** The cosine of the angle between two vectors of the same dimension. */
export function cosine(one: Vector, other: Vector): number {
  const left = one.values;
  const right = other.values;
  let sum = 0;
  // The hot loop of searches by meaning.
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum / (one.norm * other.norm || 1);
}
