/** The best few items, best first, ties by ID. */
export type Shortlist<Item extends { id: string }> = {
  /** A lower score is not added. */
  minScore(): number;
  add(item: Item, score: number): void;
  list(): readonly { item: Item; score: number }[];
};

export function createShortlist<Item extends { id: string }>(limit: number): Shortlist<Item> {
  const listed: { item: Item; score: number }[] = [];
  return {
    minScore: () => (listed.length < limit ? -Infinity : (listed.at(-1)?.score ?? Infinity)),
    add(item, score) {
      let low = 0;
      let high = listed.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = listed[middle];
        const isBefore =
          other === undefined ||
          score > other.score ||
          (score === other.score && item.id < other.item.id);
        if (isBefore) high = middle;
        else low = middle + 1;
      }
      listed.splice(low, 0, { item, score });
      if (listed.length > limit) listed.pop();
    },
    list: () => listed,
  };
}
