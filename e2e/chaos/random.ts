/** A seeded random number generator. */
export type Random = {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number in an inclusive range. */
  between(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
};

/** Mulberry32: small, and uniform enough for this purpose. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick: (from) => {
      const chosen = from[between(0, from.length - 1)];
      if (chosen === undefined) throw new Error("The list is empty");
      return chosen;
    },
  };
}
