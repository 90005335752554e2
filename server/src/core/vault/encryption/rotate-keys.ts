import { setTimeout as sleep } from "node:timers/promises";
import { auditEvent, deadAfterMs, findNodeKeys } from "#core/kernel";
import type { Database } from "#db";
import type { Envelopes } from "#lib/envelope";
import { readRoot, rewrapRoot } from "./root-secret.ts";
import { countByKey, findSealedElsewhere, sealedPlaces, writeWrapping } from "./sealed-store.ts";
import type { SealedPlace, SealedRow } from "./sealed-store.ts";

/** What a rotation did and left undone. */
export type Rotation = {
  moved: number;
  /** Secrets that none of the keys given opens, by the name of the key they want; or that were altered. */
  unopened: ReadonlyMap<string, number>;
};

/** A rotation cannot go on. Its message is one line for the operator, and nothing is lost. */
export class RotationError extends Error {
  override name = "RotationError";
}

type Options = {
  /** A word on each step when it is done. */
  say: (words: string) => void;
  /** Nodes may be at work meanwhile. */
  hasNodes: boolean;
};

const batchSize = 200;

/**
 * Moves everything that is encrypted to the first of the keys. Each step leaves a state in which all keys
 * together open everything, and a rotation that ended early is taken up by the next. Throws `RotationError`.
 */
export async function rotateKeys(
  db: Database,
  envelopes: Envelopes,
  { say, hasNodes }: Options,
): Promise<Rotation> {
  const target = envelopes.keyId;
  if (hasNodes) await checkNodesKnow(db, target);
  if (await moveRoot(db, envelopes)) say("What is new is encrypted with the new key.");
  if (hasNodes) await waitForNodes(db, target);
  let moved = 0;
  for (const place of sealedPlaces) {
    moved += await moveSecrets(db, envelopes, place, (count) => say(`${moved + count} moved.`));
  }
  const unopened = await countByKey(db);
  unopened.delete(target);
  return { moved, unopened };
}

/** Puts the root secret under the new key, from when on every node seals with it. False when it is already. */
async function moveRoot(db: Database, envelopes: Envelopes): Promise<boolean> {
  const root = await readRoot(db);
  if (root === undefined) {
    throw new RotationError("Nothing is encrypted here yet: start the service with the new key.");
  }
  const from = root.sealed.keyId;
  const to = envelopes.keyId;
  if (from === to) return false;
  if (!envelopes.keyIds.includes(from)) {
    throw new RotationError(
      `What is here is encrypted with the key named ${from}. Name that one in ENCRYPTION_KEY_PREVIOUS.`,
    );
  }
  const isMoved = await db.transact([
    { query: rewrapRoot(db, envelopes, root), mustChange: true },
    ...(await eventsOf(db, { from, to })),
  ]);
  if (!isMoved) throw new RotationError("Another rotation is at work. Run this one again later.");
  return true;
}

/** The trail of every workspace says when its secrets went to another key. */
async function eventsOf(db: Database, details: { from: string; to: string }) {
  const workspaces = await db.kysely.selectFrom("workspaces").select("id").execute();
  const who = { actor: { userId: null }, via: "system", requestId: null, ip: null } as const;
  const what = { action: "encryption_key.rotate", target: details.to, details } as const;
  return workspaces.map(({ id }) => {
    const event = auditEvent(Date.now(), { ...who, workspaceId: id }, what);
    return db.kysely.insertInto("audit_events").values(event).compile();
  });
}

async function moveSecrets(
  db: Database,
  envelopes: Envelopes,
  place: SealedPlace,
  onBatch: (count: number) => void,
): Promise<number> {
  let moved = 0;
  for (let after = ""; ;) {
    const page = { keyId: envelopes.keyId, after, limit: batchSize };
    const rows = await findSealedElsewhere(db, place, page);
    const last = rows.at(-1);
    if (last === undefined) return moved;
    after = last.id;
    const steps = rows.flatMap((row) => rewrapStep(db, envelopes, place, row));
    await db.transact(steps);
    moved += steps.length;
    onBatch(moved);
  }
}

/** Nothing for a secret that does not open: what remains is counted at the end. */
function rewrapStep(db: Database, envelopes: Envelopes, place: SealedPlace, row: SealedRow) {
  try {
    return [writeWrapping(db, place, { from: row, to: envelopes.rewrap(row, row.id) })];
  } catch {
    return [];
  }
}

/** A node that has not the new key could not open what the others seal with it. */
async function checkNodesKnow(db: Database, target: string): Promise<void> {
  const nodes = await findNodeKeys(db, deadAfterMs);
  const behind = nodes.filter(({ keyIds }) => !keyIds.includes(target));
  if (behind.length === 0) return;
  throw new RotationError(
    `${behind.length} of ${nodes.length} nodes ${behind.length === 1 ? "does" : "do"} not have the new key yet. ` +
      "Start every node again with it as ENCRYPTION_KEY and the one before in ENCRYPTION_KEY_PREVIOUS, then run this again.",
  );
}

const patienceMs = 30_000;
const pauseMs = 500;
const settleMs = 1_000;

/** Until every node that lives has seen which key seals, some may still write with the one before. */
async function waitForNodes(db: Database, target: string): Promise<void> {
  for (const from = performance.now(); performance.now() - from < patienceMs;) {
    const nodes = await findNodeKeys(db, deadAfterMs);
    if (nodes.every(({ keyIds }) => keyIds[0] === target)) {
      // What was sealed before is written by then, and so is found.
      await sleep(settleMs);
      return;
    }
    await sleep(pauseMs);
  }
  throw new RotationError("Some node does not answer. Run this again when all of them are well.");
}
