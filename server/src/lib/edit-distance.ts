/** Three rows of distances, reused since allocating them takes most of the time. */
let rows = createRows(64);

/**
 * How many letters are inserted, missing, wrong or swapped with the next one between two words. Stops early with a
 * larger number than `max` when there are more.
 */
export function editDistance(one: string, other: string, max: number): number {
  const { length } = other;
  if (Math.abs(one.length - length) > max) return max + 1;
  if (length + 2 > rows[0].length) rows = createRows(length * 2);
  let [beforePrevious, previous, current] = rows;
  for (let column = 0; column <= length; column += 1) previous[column] = column;
  for (let row = 1; row <= one.length; row += 1) {
    // Cells that are further from the diagonal are larger than `max`.
    const from = Math.max(1, row - max);
    const to = Math.min(length, row + max);
    current[from - 1] = from === 1 ? row : max + 1;
    current[to + 1] = max + 1;
    let least = current[from - 1] ?? 0;
    const letter = one.charCodeAt(row - 1);
    for (let column = from; column <= to; column += 1) {
      const found = other.charCodeAt(column - 1);
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (letter === found ? 0 : 1),
      );
      const isSwap = letter === other.charCodeAt(column - 2) && one.charCodeAt(row - 2) === found;
      if (row > 1 && column > 1 && isSwap)
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1);
      current[column] = distance;
      least = Math.min(least, distance);
    }
    if (least > max) return max + 1;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[length] ?? 0;
}

function createRows(length: number): [Uint16Array, Uint16Array, Uint16Array] {
  return [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)];
}
