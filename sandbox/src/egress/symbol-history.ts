/** Numbers per entry. */
const WIDTH = 4;

/**
 * The symbols that the threads of a scanner have read, each linked to the previous one, so that a match can be traced
 * back to its start. Threads share common prefixes.
 */
export class SymbolHistory {
  /** Per symbol: its position, the previous symbol, symbols since the last match, symbols that this match covered. */
  readonly #entries: number[] = [];

  get length(): number {
    return this.#entries.length / WIDTH;
  }

  clear(): void {
    if (this.#entries.length > 0) this.#entries.length = 0;
  }

  add(position: number, previous: number): number {
    const covered = this.#get(previous, 3);
    const since = covered === 0 ? 0 : this.#get(previous, 2) + 1;
    this.#entries.push(position, previous, since, covered === 0 ? 0 : covered + 1);
    return this.length - 1;
  }

  positionOf(index: number): number {
    return this.#get(index, 0);
  }

  /** The symbol that is a number of symbols before another. */
  back(index: number, symbols: number): number {
    let at = index;
    for (let left = symbols; left > 0; left -= 1) at = this.#get(at, 1);
    return at;
  }

  /**
   * Records that a match of `symbols` symbols ends at a symbol. Returns its start, or an offset within an earlier match
   * that it overlaps and that started no later: this avoids tracing back matches that closely follow each other.
   */
  match(index: number, symbols: number): number {
    const since = this.#get(index, 2);
    const covered = this.#get(index, 3);
    const overlaps = covered >= symbols && since < symbols;
    this.#entries[index * WIDTH + 2] = 0;
    this.#entries[index * WIDTH + 3] = overlaps ? covered : symbols;
    return this.positionOf(this.back(index, overlaps ? since : symbols - 1));
  }

  /** Copies the last symbols up to a symbol of another instance. Returns the index of its copy. */
  copy(other: SymbolHistory, index: number, symbols: number): number {
    const indexes: number[] = [];
    for (let at = index; indexes.length < symbols; at = other.#get(at, 1)) indexes.push(at);
    let previous = -1;
    for (const at of indexes.toReversed()) {
      this.#entries.push(other.#get(at, 0), previous, other.#get(at, 2), other.#get(at, 3));
      previous = this.length - 1;
    }
    return previous;
  }

  #get(index: number, field: number): number {
    return index < 0 ? 0 : (this.#entries[index * WIDTH + field] ?? 0);
  }
}
