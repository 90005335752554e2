import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

/** Clients may request any path. */
const maxPaths = 1_000;
const maxPathLength = 256;

/** Hono's router. It remembers which handlers match a path: with this many routes a search takes longer than most handlers. */
export class CachedRouter<T> implements Router<T> {
  readonly name = "CachedRouter";
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter(), new TrieRouter()] });
  readonly #results = new Map<string, Result<T>>();

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = this.#router.match(method, path);
    if (this.#results.size >= maxPaths) this.#results.clear();
    if (path.length <= maxPathLength) this.#results.set(key, result);
    return result;
  }
}
