import canonicalize from "canonicalize";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import { newId } from "#lib/ids";

/** A write request as the ledger of Idempotency-Keys knows it, before anything is written. */
export type KeyedRequest = {
  /** Namespace and key: two API keys, even of one workspace, never meet. */
  recordId: string;
  workspaceId: string;
  /**
   * Of method, path and the body's canonical JSON (RFC 8785). Keyed, for a body may be a short secret that a
   * plain hash would give away to whoever reads the table and tries.
   */
  fingerprint: string;
  /** This attempt of the request, among others with its key. */
  claim: string;
};

/** An answer as it is kept: replayed with the same status, headers and bytes. */
export type KeptAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** The answer of a key is the end of this run, which the run's row has; `body` is the `toolUrl` that was answered, as JSON. */
export type KeptRunEnd = KeptAnswer & { runId: string; body: string };

/**
 * What a key in flight or kept is asked with. `body` is any JSON value, undefined where there is none;
 * `canonicalBody` is its canonical JSON, where that was made already.
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
    recordId: `${namespaceOf(caller)}/${key.toLowerCase()}`,
    workspaceId: caller.workspaceId,
    fingerprint: responseSeal.digest(`${method.toUpperCase()} ${path}\n${text}`),
    claim: newId(),
  };
}

function namespaceOf({ actor, workspaceId }: Caller): string {
  if (actor.apiKeyId !== undefined) return `key:${actor.apiKeyId}`;
  // A session may work in several workspaces, each with records of its own.
  return `session:${actor.sessionId ?? actor.userId}:${workspaceId}`;
}

/** A request's key is taken, so nothing was begun: the door answers with what is kept, or asks again. */
export class KeyTakenError extends Error {
  override name = "KeyTakenError";
}
