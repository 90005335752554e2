/**
 * Makes a page of rows that were queried with `limit + 1`. The additional row only shows that there is another page.
 * `next` is the cursor of the last row on the page, after which the next page starts.
 */
export function cutPage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { shown: Row[]; next: Cursor | undefined } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return { shown, next: hasNext ? cursorOf(last) : undefined };
}

type Reading<Row> = {
  limit: number;
  after: string | undefined;
  read: (page: { limit: number; after: string | undefined }) => Promise<readonly Row[]>;
  cursorOf: (row: Row) => string;
  sizeOf: (row: Row) => number;
};

const rowsAtOnce = 51;

/**
 * Reads a page of large rows: it ends at `limit` rows, or after the row that exceeds `maxSize`. Rows are read in
 * batches, so that other requests are served in between.
 */
export async function readPage<Row>(
  { limit, after, read, cursorOf, sizeOf }: Reading<Row>,
  maxSize: number,
): Promise<{ shown: Row[]; next: string | undefined }> {
  const shown: Row[] = [];
  let left = maxSize;
  let cursor = after;
  for (;;) {
    const count = Math.min(rowsAtOnce, limit + 1 - shown.length);
    const rows = await read({ limit: count, after: cursor });
    for (const row of rows) {
      if (shown.length === limit || left < 0) return { shown, next: cursor };
      shown.push(row);
      left -= sizeOf(row);
      cursor = cursorOf(row);
    }
    if (rows.length < count) return { shown, next: undefined };
  }
}
