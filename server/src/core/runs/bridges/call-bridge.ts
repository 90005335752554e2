import type { BridgeCall } from "@toolhost/contract";
import type { RelayedMessageTable } from "#db";
import type { Sealed } from "#lib/envelope";
import { newId } from "#lib/ids";
import { within } from "#lib/within";
import type { RunsContext } from "../context.ts";
import { deleteMessages, insertWithin } from "../relay/relayed-message-store.ts";
import { fetchMessages, notifyNode, postMessage } from "../relay/relayed-messages.ts";
import { findBridge } from "./bridge-store.ts";
import type { BridgeUser } from "./bridge-store.ts";

/** A bridge that was not seen for this long is not connected: more than a poll and a pause take. */
export const offlineMs = 45_000;
/** Notifications between nodes may be lost. */
export const pollMs = 1_000;
const presenceMs = 2_000;
/** Longer than any run takes. */
const maxCallMs = 3_600_000;
const maxWaiting = 32;
const maxWaitingLength = 16 * 1024 * 1024;

/** A bridge cannot answer a call. */
export class BridgeError extends Error {
  override name = "BridgeError";
}

/** A JSON-RPC request, which the process sends to the MCP server with an ID of its own. */
type BridgeRequest = Extract<BridgeCall, { kind: "call" }>["request"];

export function addressOfCalls(bridgeId: string): string {
  return `bridge calls ${bridgeId}`;
}

export function addressOfAnswer(bridgeId: string, callId: string): string {
  return `bridge answer ${bridgeId} ${callId}`;
}

/** A message at this address permits one answer to a call, so that a bridge cannot fill the database. */
export function addressOfPermit(bridgeId: string, callId: string): string {
  return `bridge permit ${bridgeId} ${callId}`;
}

/** An encrypted message for an address. */
export function sealedMessage(
  { envelopes, clock }: RunsContext,
  address: string,
  text: string,
  id = newId(),
): RelayedMessageTable {
  const body = JSON.stringify(envelopes.seal(text, address));
  return { id, address, body, created_at: clock.now() };
}

/** Removes and returns the messages for an address, oldest first. */
async function fetchSealed(context: RunsContext, address: string): Promise<string[]> {
  return (await fetchMessages(context, address)).map((body) => openSealed(context, address, body));
}

export function openSealed(context: RunsContext, address: string, body: string): string {
  return context.envelopes.open(JSON.parse(body) as Sealed, address);
}

/**
 * Sends a request to the bridge of a user, and returns the text of the answer, of any content. Throws `BridgeError`, and the
 * reason of the signal, which cancels the request.
 */
export async function callBridge(
  context: RunsContext,
  bridge: BridgeUser & { bridgeName: string },
  request: BridgeRequest,
  signal: AbortSignal,
): Promise<string> {
  const { bridgeName: name } = bridge;
  const id = await findConnected(context, bridge);
  if (id === undefined) {
    throw new BridgeError(
      `The bridge ${name} is not connected, so nothing was executed. Start it with \`toolhost bridge --name ${name} -- COMMAND\`.`,
    );
  }
  const callId = newId();
  const address = addressOfAnswer(id, callId);
  const permit = addressOfPermit(id, callId);
  let isPosted = false;
  let woken = Promise.withResolvers<void>();
  const stopListening = context.runs.relay.listen(address, () => woken.resolve());
  try {
    await postMessage(context, { address: permit, body: "" }, context.clock.now() + maxCallMs);
    const call = { kind: "call", id: callId, callId, request } as const;
    if (!(await postCall(context, id, call, maxWaiting))) throw new BridgeError(busy(name));
    isPosted = true;
    for (let sinceMs = 0; ; sinceMs += pollMs) {
      const [answer] = await fetchSealed(context, address);
      if (answer !== undefined) return answer;
      signal.throwIfAborted();
      const isPresent = sinceMs % presenceMs !== 0 || (await findConnected(context, bridge)) === id;
      if (!isPresent) throw new BridgeError(lost(name));
      await within(woken.promise, pollMs, signal);
      woken = Promise.withResolvers();
    }
  } catch (error) {
    if (isPosted && signal.aborted) {
      await deleteMessages(context.db, addressOfCalls(id), [callId]);
      // Calls leave space for their cancellations.
      await postCall(context, id, { kind: "cancel", id: newId(), callId }, 2 * maxWaiting);
    }
    throw error;
  } finally {
    stopListening();
    await deleteMessages(context.db, addressOfCalls(id), [callId]);
    await fetchMessages(context, permit);
  }
}

/** False if too many messages wait for the bridge. */
async function postCall(
  context: RunsContext,
  bridgeId: string,
  call: BridgeCall,
  maxCount: number,
): Promise<boolean> {
  const address = addressOfCalls(bridgeId);
  const row = sealedMessage(context, address, JSON.stringify(call), call.id);
  const limits = { maxCount, maxLength: maxWaitingLength };
  const isStored = await insertWithin(context.db, row, limits);
  if (isStored) notifyNode(context, address);
  return isStored;
}

const busy = (name: string) =>
  `Too many calls wait for the bridge ${name}, so nothing was executed. Try again later.`;

const lost = (name: string) =>
  `The bridge ${name} was disconnected during the call. Whether the tool was executed is unknown, so check before you run it again.`;

async function findConnected(
  { db, clock }: RunsContext,
  bridge: BridgeUser & { bridgeName: string },
): Promise<string | undefined> {
  const found = await findBridge(db, bridge, bridge.bridgeName);
  return found !== undefined && found.seen_at > clock.now() - offlineMs ? found.id : undefined;
}
