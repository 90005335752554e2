import { randomUUID } from "node:crypto";
import { chainHash } from "../../server/src/core/kernel/audit/audit-chain.ts";
import { packSegment } from "../../server/src/core/kernel/audit/audit-segment.ts";
import type { SealedEvent } from "../../server/src/core/kernel/audit/audit-segment.ts";

/** The end of a run, of which its event is made. */
export type EndedRun = { id: string; tool: string; finishedMs: number };

type Chain = { workspaceId: string; userId: string; sequence: number; hash: string };

/** The events that the service seals at once in a busy workspace. */
const eventsOfSegment = 500;

/** The segments that the service would store of these runs, in their order, and the new head of the chain. */
export async function segmentsOf(chain: Chain, runs: readonly EndedRun[]) {
  let { sequence, hash } = chain;
  const events = runs.map((run): SealedEvent => {
    const event = { ...eventOf(chain, run), sequence: null, hash: null };
    sequence += 1;
    hash = chainHash(hash, sequence, event);
    return { ...event, sequence, hash };
  });
  const segments: Awaited<ReturnType<typeof packSegment>>[] = [];
  for (let at = 0; at < events.length; at += eventsOfSegment) {
    segments.push(await packSegment(events.slice(at, at + eventsOfSegment)));
  }
  return { segments, head: { sequence, hash } };
}

function eventOf({ workspaceId, userId }: Chain, { id, tool, finishedMs }: EndedRun) {
  return {
    // Its time is that of the run, and its order among the events of the same time does not matter.
    id: `${id.slice(0, 14)}${randomUUID().slice(14)}`,
    workspace_id: workspaceId,
    at: finishedMs,
    actor: JSON.stringify({ userId }),
    user_id: userId,
    via: "rest",
    action: "run.create",
    target: id,
    outcome: "success",
    request_id: randomUUID(),
    ip: "127.0.0.1",
    details: JSON.stringify({ toolName: tool, toolVersion: 1 }),
    private_to: null,
  };
}
