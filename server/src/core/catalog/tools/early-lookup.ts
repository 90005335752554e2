import type { Caller, KeyedRequest } from "#core/kernel";
import type { Database } from "#db";
import type { Viewer } from "./tool-store.ts";
import { findUsedTool, findUsedToolAndKey } from "./used-tool-store.ts";
import type { UsedToolAndKey } from "./used-tool-store.ts";

/** A lookup of a tool, and of the Idempotency-Key if the request has one, that was sent before its caller is known for sure. */
export type EarlyLookup = Viewer & {
  toolName: string;
  recordId: string | undefined;
  found: Promise<UsedToolAndKey>;
  /** When it was sent, by `performance.now()`. */
  sentAt: number;
};

/** The tool may be archived, held or made private while the body of a request arrives, which can take minutes. */
const maxAgeMs = 500;

/** What stands for a request: its Idempotency-Key, or the caller that its interface made for it alone. */
type RequestHandle = KeyedRequest | Pick<Caller, "userId" | "workspaceId">;

const lookups = new WeakMap<RequestHandle, EarlyLookup>();

/** Starts the lookup for the caller that is expected. */
export function lookUpEarly(
  { db }: { db: Database },
  { userId, workspaceId }: Viewer,
  { toolName, recordId }: Pick<EarlyLookup, "toolName" | "recordId">,
): EarlyLookup {
  const found = find(db, { userId, workspaceId }, { toolName, recordId });
  // No request waits for it if its caller is refused.
  found.catch(() => undefined);
  return { userId, workspaceId, toolName, recordId, found, sentAt: performance.now() };
}

async function find(
  db: Database,
  viewer: Viewer,
  { toolName, recordId }: Pick<EarlyLookup, "toolName" | "recordId">,
): Promise<UsedToolAndKey> {
  if (recordId !== undefined) return findUsedToolAndKey(db, viewer, toolName, { recordId });
  return { used: await findUsedTool(db, viewer, toolName), isKeyTaken: false };
}

/** Makes an early lookup available to the run of a request. */
export function provideLookup(request: RequestHandle, lookup: EarlyLookup): void {
  lookups.set(request, lookup);
}

/** The lookup that was sent a moment ago for exactly this caller, tool and key. */
export function takeLookup(
  request: RequestHandle,
  { userId, workspaceId }: Viewer,
  { toolName, recordId }: { toolName: string; recordId: string | undefined },
): Promise<UsedToolAndKey> | undefined {
  const early = lookups.get(request);
  // A second attempt of the request needs a new answer.
  lookups.delete(request);
  const isSame =
    early?.userId === userId &&
    early.workspaceId === workspaceId &&
    early.toolName === toolName &&
    early.recordId === recordId;
  return isSame && performance.now() - early.sentAt < maxAgeMs ? early.found : undefined;
}
