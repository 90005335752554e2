import { setTimeout as sleep } from "node:timers/promises";
import { auditEvent, byService, offlineAfterMs, findNodeKeys } from "#core/kernel";
import type { Database } from "#db";
import type { Envelopes } from "#lib/envelope";
import { OperatorError } from "#lib/operator-error";
import { readRoot, rewrapRoot } from "./root-secret.ts";
import {
  countByKey,
  findSealedWithOtherKeys,
  sealedColumns,
  writeWrapping,
} from "./sealed-store.ts";
import type { SealedColumns, SealedRow } from "./sealed-store.ts";

/** The result of a rotation. */
export type Rotation = {
  moved: number;
  /** Counts secrets that none of the given keys opens, or that were altered, by the ID of the key that they require. */
  unopened: ReadonlyMap<string, number>;
};

/** A rotation cannot continue. The message is one line for the operator; no data is lost. */
export class RotationError extends OperatorError {
  override name = "RotationError";
}

type Options = {
  /** Called with a message after each step. */
  onProgress: (message: string) => void;
  /** Whether nodes may be running during the rotation. */
  hasNodes: boolean;
};

const batchSize = 200;

/**
 * Re-encrypts all secrets with the first of the keys. After each step, all keys together still open everything, and a
 * later rotation continues an interrupted one. Throws `RotationError`.
 */
export async function rotateKeys(
  db: Database,
  envelopes: Envelopes,
  { onProgress, hasNodes }: Options,
): Promise<Rotation> {
  const target = envelopes.keyId;
  if (hasNodes) await checkNodesKnow(db, target);
  if (await moveRoot(db, envelopes)) onProgress("New secrets are now encrypted with the new key.");
  if (hasNodes) await waitForNodes(db, target);
  let moved = 0;
  for (const columns of sealedColumns) {
    moved += await moveSecrets(db, envelopes, columns, (count) =>
      onProgress(`Re-encrypted ${moved + count} secrets.`),
    );
  }
  const unopened = await countByKey(db);
  unopened.delete(target);
  return { moved, unopened };
}

/**
 * Wraps the root secret with the new key, which makes every node encrypt with that key. False if it is wrapped with it
 * already.
 */
async function moveRoot(db: Database, envelopes: Envelopes): Promise<boolean> {
  const root = await readRoot(db);
  if (root === undefined) {
    throw new RotationError(
      "Nothing is encrypted in this database yet. Start the service with the new key.",
    );
  }
  const from = root.sealed.keyId;
  const to = envelopes.keyId;
  if (from === to) return false;
  if (!envelopes.keyIds.includes(from)) {
    throw new RotationError(
      `This database is encrypted with the key ${from}. Add that key to ENCRYPTION_KEY_PREVIOUS.`,
    );
  }
  const isMoved = await db.transact([
    { query: rewrapRoot(db, envelopes, root), mustChange: true },
    ...(await eventsOf(db, { from, to })),
  ]);
  if (!isMoved)
    throw new RotationError("Another rotation is in progress. Run this command again later.");
  return true;
}

/** Each workspace's audit log records that its secrets have a new key. */
async function eventsOf(db: Database, details: { from: string; to: string }) {
  const workspaces = await db.kysely.selectFrom("workspaces").select("id").execute();
  const what = { action: "encryption_key.rotate", target: details.to, details } as const;
  return workspaces.map(({ id }) => {
    const event = auditEvent(Date.now(), { ...byService, workspaceId: id }, what);
    return db.kysely.insertInto("audit_events").values(event).compile();
  });
}

async function moveSecrets(
  db: Database,
  envelopes: Envelopes,
  columns: SealedColumns,
  onBatch: (count: number) => void,
): Promise<number> {
  let moved = 0;
  for (let after = ""; ;) {
    const page = { keyId: envelopes.keyId, after, limit: batchSize };
    const rows = await findSealedWithOtherKeys(db, columns, page);
    const last = rows.at(-1);
    if (last === undefined) return moved;
    after = last.id;
    const steps = rows.flatMap((row) => rewrapStep(db, envelopes, columns, row));
    await db.transact(steps);
    moved += steps.length;
    onBatch(moved);
  }
}

/** Skips a secret that does not open; those that remain are counted at the end. */
function rewrapStep(db: Database, envelopes: Envelopes, columns: SealedColumns, row: SealedRow) {
  try {
    return [writeWrapping(db, columns, { from: row, to: envelopes.rewrap(row, row.id) })];
  } catch {
    return [];
  }
}

/** A node without the new key could not open what other nodes encrypt with it. */
async function checkNodesKnow(db: Database, target: string): Promise<void> {
  const nodes = await findNodeKeys(db, offlineAfterMs);
  const behind = nodes.filter(({ keyIds }) => !keyIds.includes(target));
  if (behind.length === 0) return;
  throw new RotationError(
    `${behind.length} of ${nodes.length} nodes ${behind.length === 1 ? "does" : "do"} not have the new key yet. ` +
      "Restart every node with it as ENCRYPTION_KEY and the previous key in ENCRYPTION_KEY_PREVIOUS, then run this command again.",
  );
}

const maxWaitMs = 30_000;
const pauseMs = 500;
const writeGraceMs = 1_000;

/** Waits until every live node encrypts with the new key, because others may still write secrets with the old one. */
async function waitForNodes(db: Database, target: string): Promise<void> {
  for (const from = performance.now(); performance.now() - from < maxWaitMs;) {
    const nodes = await findNodeKeys(db, offlineAfterMs);
    if (nodes.every(({ keyIds }) => keyIds[0] === target)) {
      // By then, all secrets that were encrypted with the old key have been written, so they are found.
      await sleep(writeGraceMs);
      return;
    }
    await sleep(pauseMs);
  }
  throw new RotationError(
    "A node does not respond. Run this command again when all nodes are healthy.",
  );
}
