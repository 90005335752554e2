/** A symbol that the automaton skips, such as a line break in base64. */
export const SKIP = 255;
/** A symbol that no pattern contains. */
export const BREAK = 254;

/** A sequence of symbols below `BREAK`, and its name. */
export type Pattern = { symbols: Uint8Array; name: string };

/**
 * Finds many patterns in one pass (Aho–Corasick). State 0 is the root. Memory grows only with the length of the
 * patterns: states are rows in a few arrays, and the children of a state form a linked list.
 */
export class Automaton {
  /** Number of symbols that lead to a state. */
  readonly depth: Int32Array;
  /** Length of the longest pattern that ends in a state, or 0. */
  readonly matchLength: Int32Array;
  readonly #symbol: Uint8Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fail: Int32Array;
  /** Which pattern ends in a state. */
  readonly #match: Int32Array;
  readonly #names: string[] = [];
  #size = 1;
  readonly #fromRoot = new Int32Array(256);

  constructor(patterns: readonly Pattern[]) {
    const size = patterns.reduce((sum, { symbols }) => sum + symbols.length, 1);
    this.depth = new Int32Array(size);
    this.matchLength = new Int32Array(size);
    this.#symbol = new Uint8Array(size);
    this.#child = new Int32Array(size);
    this.#sibling = new Int32Array(size);
    this.#fail = new Int32Array(size);
    this.#match = new Int32Array(size);
    for (const pattern of patterns) this.#add(pattern);
    this.#link();
  }

  step(state: number, symbol: number): number {
    let from = state;
    while (from !== 0) {
      const next = this.#childOf(from, symbol);
      if (next !== 0) return next;
      from = this.#at(this.#fail, from);
    }
    return this.#fromRoot[symbol] ?? 0;
  }

  /** The same state, or if no pattern continues from it, the one from which matching continues. */
  continuing(state: number): number {
    let from = state;
    while (from !== 0 && this.#at(this.#child, from) === 0) from = this.#at(this.#fail, from);
    return from;
  }

  /** The name of the longest pattern that ends in a state. */
  matchName(state: number): string {
    return this.#names[this.#at(this.#match, state)] ?? "";
  }

  symbolOf(state: number): number {
    return this.#symbol[state] ?? BREAK;
  }

  #add({ symbols, name }: Pattern): void {
    let state = 0;
    for (const symbol of symbols) {
      const next = state === 0 ? (this.#fromRoot[symbol] ?? 0) : this.#childOf(state, symbol);
      state = next === 0 ? this.#grow(state, symbol) : next;
    }
    this.matchLength[state] = symbols.length;
    this.#match[state] = this.#names.push(name) - 1;
  }

  #grow(parent: number, symbol: number): number {
    const state = this.#size;
    this.#size += 1;
    this.depth[state] = this.#at(this.depth, parent) + 1;
    this.#symbol[state] = symbol;
    this.#sibling[state] = this.#at(this.#child, parent);
    this.#child[parent] = state;
    if (parent === 0) this.#fromRoot[symbol] = state;
    return state;
  }

  #link(): void {
    const order = this.childrenOf(0);
    // The unoptimized failure links, from which children derive theirs. `#fail` may skip some of them.
    const plain = new Int32Array(this.#size);
    for (let at = 0; at < order.length; at += 1) {
      const state = order[at] ?? 0;
      const fail = this.#at(plain, state);
      for (const child of this.childrenOf(state)) {
        plain[child] = this.step(fail, this.symbolOf(child));
        order.push(child);
      }
      this.#fail[state] = this.#failsLike(state, fail) ? this.#at(this.#fail, fail) : fail;
      if (this.matchLength[state] === 0) {
        this.matchLength[state] = this.#at(this.matchLength, fail);
        this.#match[state] = this.#at(this.#match, fail);
      }
    }
  }

  // If both have the same only child, a symbol that fails in one fails in the other (Knuth–Morris–Pratt).
  #failsLike(state: number, fail: number): boolean {
    const [one, other] = [this.#at(this.#child, state), this.#at(this.#child, fail)];
    if (fail === 0 || one === 0 || other === 0) return false;
    const areOnly = this.#at(this.#sibling, one) === 0 && this.#at(this.#sibling, other) === 0;
    return areOnly && this.#symbol[one] === this.#symbol[other];
  }

  childrenOf(state: number): number[] {
    const children: number[] = [];
    for (let child = this.#at(this.#child, state); child !== 0;) {
      children.push(child);
      child = this.#at(this.#sibling, child);
    }
    return children;
  }

  #childOf(state: number, symbol: number): number {
    let child = this.#at(this.#child, state);
    while (child !== 0 && this.#symbol[child] !== symbol) child = this.#at(this.#sibling, child);
    return child;
  }

  #at(list: Int32Array, index: number): number {
    return list[index] ?? 0;
  }
}
