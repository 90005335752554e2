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

type Reading<Row> = {
  limit: number;
  after: string | undefined;
  read: (page: { limit: number; after: string | undefined }) => Promise<readonly Row[]>;
  placeOf: (row: Row) => string;
  sizeOf: (row: Row) => number;
};

const rowsAtOnce = 51;

/**
 * Reads a page of rows that may be large: it ends at `limit` rows, or earlier after the row with which it has more than
 * `maxSize`. Rows are read some at a time, so that others have their turn in between.
 */
export async function readPage<Row>(
  { limit, after, read, placeOf, sizeOf }: Reading<Row>,
  maxSize: number,
): Promise<{ shown: Row[]; next: string | undefined }> {
  const shown: Row[] = [];
  let left = maxSize;
  let place = after;
  for (;;) {
    const wanted = Math.min(rowsAtOnce, limit + 1 - shown.length);
    const rows = await read({ limit: wanted, after: place });
    for (const row of rows) {
      if (shown.length === limit || left < 0) return { shown, next: place };
      shown.push(row);
      left -= sizeOf(row);
      place = placeOf(row);
    }
    if (rows.length < wanted) return { shown, next: undefined };
  }
}
