import type { KeyedRequest } from "#core/kernel";
import type { Database } from "#db";
import type { Viewer } from "./tool-store.ts";
import { findUsedToolAndKey } from "./used-tool-store.ts";
import type { UsedToolAndKey } from "./used-tool-store.ts";

/** A lookup of a tool and an Idempotency-Key that was sent before its caller is known for sure. */
export type EarlyLookup = Viewer & {
  toolName: string;
  recordId: string;
  found: Promise<UsedToolAndKey>;
  /** When it was sent, by `performance.now()`. */
  sentAt: number;
};

/** The tool may be archived, held or made private while the body of a request arrives, which can take minutes. */
const maxAgeMs = 500;

const lookups = new WeakMap<KeyedRequest, EarlyLookup>();

/** Starts the lookup for the caller that is expected. */
export function lookUpEarly(
  { db }: { db: Database },
  { userId, workspaceId }: Viewer,
  { toolName, recordId }: Pick<EarlyLookup, "toolName" | "recordId">,
): EarlyLookup {
  const found = findUsedToolAndKey(db, { userId, workspaceId }, toolName, { recordId });
  // No request waits for it if its caller is refused.
  found.catch(() => undefined);
  return { userId, workspaceId, toolName, recordId, found, sentAt: performance.now() };
}

/** Makes an early lookup available to the run of a request. */
export function provideLookup(key: KeyedRequest, lookup: EarlyLookup): void {
  lookups.set(key, lookup);
}

/** The lookup that was sent a moment ago for exactly this caller, tool and key. */
export function takeLookup(
  key: KeyedRequest,
  { userId, workspaceId }: Viewer,
  toolName: string,
): Promise<UsedToolAndKey> | undefined {
  const early = lookups.get(key);
  // A second attempt of the request needs a new answer.
  lookups.delete(key);
  const isSame =
    early?.userId === userId &&
    early.workspaceId === workspaceId &&
    early.toolName === toolName &&
    early.recordId === key.recordId;
  return isSame && performance.now() - early.sentAt < maxAgeMs ? early.found : undefined;
}
