/** The similarity of two texts from 0 to 1, by the letter pairs that they share (Dice's coefficient). */
export function similarity(one: string, other: string): number {
  const pairs = pairsOf(one);
  const others = pairsOf(other);
  const total = one.length + other.length - 2;
  if (total <= 0) return one === other ? 1 : 0;
  let shared = 0;
  for (const [pair, count] of pairs) shared += Math.min(count, others.get(pair) ?? 0);
  return (2 * shared) / total;
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let index = 0; index + 1 < text.length; index++) {
    const pair = text.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
