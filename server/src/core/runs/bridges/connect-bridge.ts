import type { Bridge, BridgeCall } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, notFound, ServiceError } from "#core/kernel";
import { reserveWait } from "#core/limits";
import { isId, newId } from "#lib/ids";
import { within } from "#lib/within";
import type { RunsContext } from "../context.ts";
import { deleteMessages, readMessages, replaceMessages } from "../relay/relayed-message-store.ts";
import { notifyNode } from "../relay/relayed-messages.ts";
import {
  countBridges,
  deleteBridge,
  deleteUnseenBridges,
  findBridge,
  hasBridge,
  replaceBridge,
  touchBridge,
  restoreSeenAt,
} from "./bridge-store.ts";
import {
  addressOfAnswer,
  addressOfCalls,
  addressOfPermit,
  offlineMs,
  openSealed,
  pollMs,
  sealedMessage,
} from "./call-bridge.ts";

const revoked = "The API key or sign-in of this bridge was revoked.";
const waitMs = 20_000;
/** How long a bridge whose connection broke may take to poll again. */
const graceMs = 5_000;
const maxBridges = 20;
/** What a poll returns, also on a node that many poll at once. */
const pollLimits = { maxCount: 8, maxLength: 4 * 1024 * 1024 };
const retentionMs = 7 * 86_400_000;

/** Connects a bridge of the caller, in place of the one with the same name. Throws `quota_exceeded`. */
export async function connectBridge(
  context: RunsContext,
  caller: Caller,
  { name }: { name: string },
): Promise<Bridge> {
  const { db, clock } = context;
  const existing = await findBridge(db, caller, name);
  if (existing === undefined && (await countBridges(db, caller)) >= maxBridges) {
    throw new ServiceError(
      "quota_exceeded",
      `You have ${maxBridges} bridges in this workspace. Use the name of one that you no longer need.`,
    );
  }
  const { workspaceId, userId } = caller;
  const created = { id: newId(), name };
  const isConnected = await commitWrite(context, caller, created, [
    ...replaceBridge(db, {
      ...created,
      workspace_id: workspaceId,
      user_id: userId,
      seen_at: clock.now(),
    }),
    auditInsert(context, caller, {
      action: "bridge.connect",
      target: created.id,
      details: { name },
    }),
  ]);
  if (!isConnected) throw lostKey();
  // The process of the former bridge ends.
  if (existing !== undefined) notifyNode(context, addressOfCalls(existing.id));
  return created;
}

/**
 * Waits for calls of a bridge, and returns some; none after the wait. They are returned again until a later poll contains their
 * IDs in `received`, because a response may be lost. Throws `not_found` for a bridge that was replaced, and `unauthenticated` if
 * the caller was revoked during the wait, so that no call reaches them.
 */
export async function takeBridgeCalls(
  context: RunsContext,
  caller: Caller,
  { id, received }: { id: string; received: readonly string[] },
  { signal, isStillAllowed }: { signal: AbortSignal; isStillAllowed: () => Promise<boolean> },
): Promise<BridgeCall[]> {
  const { db, clock, cluster, runs } = context;
  let seenAt = await touch(context, caller, id);
  const address = addressOfCalls(id);
  await deleteMessages(db, address, received);
  let woken = Promise.withResolvers<true>();
  const stopListening = runs.relay.listen(address, () => woken.resolve(true));
  const stopWaiting = reserveWait(context, caller);
  const deadline = performance.now() + (stopWaiting === undefined ? 0 : waitMs);
  let isRevoked = false;
  try {
    for (;;) {
      const bodies = await readMessages(db, address, pollLimits);
      const leftMs = deadline - performance.now();
      const isOver = bodies.length > 0 || leftMs <= 0 || cluster.isStopping;
      if (isOver) {
        isRevoked = !(await isStillAllowed());
        if (isRevoked) throw new ServiceError("unauthenticated", revoked);
        return bodies.map((body) => JSON.parse(openSealed(context, address, body)) as BridgeCall);
      }
      const isWoken = await within(woken.promise, Math.min(leftMs, pollMs), signal);
      if (signal.aborted) return [];
      woken = Promise.withResolvers();
      // Woken without a message if it was replaced or disconnected.
      if (isWoken === true) seenAt = await touch(context, caller, id);
    }
  } finally {
    stopWaiting?.();
    stopListening();
    // Another poll may be open, also on another node.
    if (isRevoked) await restoreSeenAt(db, id, { from: seenAt, to: clock.now() - offlineMs });
    else if (signal.aborted) await restoreSeenAt(db, id, { from: seenAt, to: expiringAt(context) });
    else await touchBridge(db, caller, { id, seenAt: context.clock.now() });
  }
}

/** Stores the first answer to a call, of any content, and ignores any for which nothing waits. Throws `not_found` for a bridge that was replaced. */
export async function answerBridgeCall(
  context: RunsContext,
  caller: Caller,
  id: string,
  { callId, answer }: { callId: string; answer: string },
): Promise<void> {
  const { db } = context;
  if (!isId(id) || !(await hasBridge(db, caller, id))) throw noBridge(id);
  if (!isId(callId)) return;
  const address = addressOfAnswer(id, callId);
  const message = sealedMessage(context, address, answer);
  // Together, so that an answer that could not be stored can be repeated.
  const steps = replaceMessages(db, addressOfPermit(id, callId), message);
  if (await db.transact(steps)) notifyNode(context, address);
}

/** Disconnects a bridge. Its imports stay. Throws `not_found`. */
export async function disconnectBridge(
  context: RunsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!isId(id)) throw noBridge(id);
  const isDone = await commitWrite(context, caller, null, [
    deleteBridge(context.db, caller, id),
    auditInsert(context, caller, { action: "bridge.disconnect", target: id }),
  ]);
  if (!isDone) throw noBridge(id);
  notifyNode(context, addressOfCalls(id));
}

async function touch({ db, clock }: RunsContext, caller: Caller, id: string): Promise<number> {
  const seenAt = clock.now();
  if (!isId(id) || !(await touchBridge(db, caller, { id, seenAt }))) throw noBridge(id);
  return seenAt;
}

const expiringAt = ({ clock }: RunsContext) => clock.now() - offlineMs + graceMs;

/** Deletes bridges that were not connected for long. */
export async function deleteOldBridges({ db, clock }: RunsContext): Promise<void> {
  await deleteUnseenBridges(db, clock.now() - retentionMs);
}

function noBridge(id: string): ServiceError {
  return notFound("not_found", "bridge", { id });
}
