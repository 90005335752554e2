import { currentWorkspaceId } from "./current-workspace.ts";
import type { AnyRequest } from "./request.ts";

const maxKeys = 10;

/** The Idempotency-Keys of writes that may have happened although their responses were lost, by the request. */
const keys = new Map<string, string>();

/**
 * The key of a write. One that repeats the latest unconfirmed write gets the key of that, so that pressing a button again after the
 * connection was lost does not do it twice.
 */
export function keyOf(request: string | undefined): string {
  const known = request === undefined ? undefined : keys.get(request);
  return known ?? crypto.randomUUID();
}

/** Identifies a write by all that it sends. Undefined for uploads, whose bytes are not compared. */
export function identify(route: string, { params, query, body }: AnyRequest): string | undefined {
  if (body instanceof FormData) return undefined;
  return JSON.stringify([route, currentWorkspaceId(), params, query, body]);
}

/** Remembers a write without a response. */
export function noteUnconfirmed(request: string | undefined, key: string): void {
  if (request === undefined) return;
  keys.set(request, key);
  const [oldest] = keys.keys();
  if (keys.size > maxKeys && oldest !== undefined) keys.delete(oldest);
}

/** Forgets all of them after a response: a later write that is the same may be meant to undo what happened since. */
export function noteConfirmed(): void {
  keys.clear();
}
