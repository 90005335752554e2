import canonicalize from "canonicalize";
import { randomMark } from "#lib/ids";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";

/** Collisions matter only between attempts with the same key. */
const claimBytes = 9;

/** A write request with an Idempotency-Key, in the form that identifies its record. */
export type KeyedRequest = {
  /** Namespace and key. Two API keys have separate namespaces, even in one workspace. */
  recordId: string;
  workspaceId: string;
  /**
   * A keyed hash of method, path and the body's canonical JSON (RFC 8785). With an unkeyed hash, a reader of the table
   * could guess a body that is a short secret.
   */
  fingerprint: string;
  /** Identifies this attempt among those with the same key. */
  claim: string;
};

/** A stored response. A replay has the same status, headers and bytes. */
export type StoredResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/**
 * The response for the key of a run. If it was sent before the run's end, `body` is its text. Otherwise the run's row contains the
 * result, and `body` is the `toolUrl` of the first response: a JSON string, while a result is an object.
 */
export type StoredRunResponse = StoredResponse & { runId: string; body: string };

/**
 * Builds the request that a key is looked up with. `body` is any JSON value, or undefined if there is none.
 * `canonicalBody` is its canonical JSON, if the caller has computed it.
 */
export function keyedRequest(
  { responseSeal }: Pick<NodeContext, "responseSeal">,
  caller: Caller,
  key: string,
  request: { method: string; path: string; body: unknown; canonicalBody?: string | undefined },
): KeyedRequest {
  const { method, path, body, canonicalBody } = request;
  const text = canonicalBody ?? (body === undefined ? "" : (canonicalize(body) ?? ""));
  return {
    recordId: recordIdOf(caller, key),
    workspaceId: caller.workspaceId,
    fingerprint: responseSeal.digest(`${method.toUpperCase()} ${path}\n${text}`),
    claim: randomMark(claimBytes),
  };
}

/** The ID of a key's record. */
export function recordIdOf(caller: Pick<Caller, "actor" | "workspaceId">, key: string): string {
  return `${namespaceOf(caller)}/${key.toLowerCase()}`;
}

function namespaceOf({ actor, workspaceId }: Pick<Caller, "actor" | "workspaceId">): string {
  if (actor.apiKeyId !== undefined) return `key:${actor.apiKeyId}`;
  // A session can be used in several workspaces, and each has separate records.
  return `session:${actor.sessionId ?? actor.userId}:${workspaceId}`;
}

/** The request's key is already reserved, so nothing was started. The interface returns the stored response or retries. */
export class KeyTakenError extends Error {
  override name = "KeyTakenError";
}
