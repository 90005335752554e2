/** Numbers per entry. */
const WIDTH = 4;

/**
 * The symbols that threads of a scanner have read, each with the one before it, so that a match can be traced back
 * to where it began. Threads share what they have in common.
 */
export class Trail {
  /** Of each symbol: its position, the one before it, symbols since the last match, symbols that this covered. */
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

  /** The symbol that is so many symbols before another. */
  back(index: number, symbols: number): number {
    let at = index;
    for (let left = symbols; left > 0; left -= 1) at = this.#get(at, 1);
    return at;
  }

  /**
   * Notes that a match of so many symbols ends with a symbol. Returns where it begins, or where it overlaps a match
   * before it that began no later: so matches that follow each other closely are not traced back again and again.
   */
  match(index: number, symbols: number): number {
    const since = this.#get(index, 2);
    const covered = this.#get(index, 3);
    const goesOn = covered >= symbols && since < symbols;
    this.#entries[index * WIDTH + 2] = 0;
    this.#entries[index * WIDTH + 3] = goesOn ? covered : symbols;
    return this.positionOf(this.back(index, goesOn ? since : symbols - 1));
  }

  /** Copies the last symbols up to one of another trail. Returns that one here. */
  copy(other: Trail, index: number, symbols: number): number {
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
