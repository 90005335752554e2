import type { Caller } from "#core/kernel";
import type { Database } from "#db";
import { sha256 } from "#lib/hash";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";

/** Who used an API key last on this node. The key may have been revoked since, so this decides nothing. */
export type ExpectedCaller = Pick<Caller, "userId" | "workspaceId" | "actor">;

const maxKeys = 5_000;
const known = new WeakMap<Database, LruMap<string, ExpectedCaller | undefined>>();

/** Records who was authenticated with a key. */
export function noteCaller(
  db: Database,
  keyHash: string,
  { userId, workspaceId, actor }: ExpectedCaller,
): void {
  let callers = known.get(db);
  if (callers === undefined) known.set(db, (callers = createLruMap(maxKeys)));
  callers.set(keyHash, { userId, workspaceId, actor });
}

/** Forgets the caller of a key that was refused, so that nothing is read for a revoked key again. */
export function forgetCaller(db: Database, keyHash: string): void {
  const callers = known.get(db);
  if (callers?.get(keyHash) !== undefined) callers.set(keyHash, undefined);
}

/**
 * The caller that a key will probably authenticate, so that reads can be sent together with the lookup of the key. Their results may
 * be used only after the key was authenticated, and for the same caller.
 */
export function expectCaller({ db }: { db: Database }, key: string): ExpectedCaller | undefined {
  return known.get(db)?.get(sha256(key));
}
