/**
 * Makes a page of rows that were asked for with one more than it holds: that one only tells that there
 * is a next page. `next` is the place of the last row shown, after which the next page starts.
 */
export function cutPage<Row, Place>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): { shown: Row[]; next: Place | undefined } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return { shown, next: hasNext ? placeOf(last) : undefined };
}
