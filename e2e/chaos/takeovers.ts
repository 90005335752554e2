import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Fleet, FleetNode } from "./fleet.ts";
import { createReader } from "./rest-reader.ts";
import type { Send } from "./send.ts";

/** Tracks running runs, to measure how long the runs of a killed node take to end. */
export type TakeoverWatch = {
  /** Must be called right after a node was killed, with the runs whose code it had started. */
  noteKill(at: number, runIds: readonly string[]): void;
  /** The runs that were in progress at a kill and have ended since. */
  found(): readonly Takeover[];
  stop(): Promise<void>;
};

export type Takeover = {
  runId: string;
  /** Time from the start of tracking to the kill. */
  killedAfterMs: number;
  /** Time from the kill to the end of the run. */
  tookMs: number;
};

type Lost = { killedAt: number; wasSeen: boolean };

const pauseMs = 200;
const pageSize = 200;
const underWay = z.array(z.object({ runId: z.string() }));

/** Polls the nodes in turn for runs in progress, until it is stopped. */
export function watchTakeovers(fleet: Fleet, send: Send, apiKey: string): TakeoverWatch {
  const lost = new Map<string, Lost>();
  const found: Takeover[] = [];
  const startedAt = performance.now();
  const stopped = new AbortController();
  const look = async (node: FleetNode) => {
    const askedAt = performance.now();
    const reader = createReader(send, node.baseUrl, apiKey);
    const page = underWay.parse(await reader.read(`/runs?status=running&limit=${pageSize}`));
    if (page.length === pageSize) return;
    const running = new Set(page.map(({ runId }) => runId));
    for (const [runId, { killedAt, wasSeen }] of lost) {
      // A response from before the kill is meaningless.
      if (askedAt < killedAt) continue;
      if (running.has(runId)) lost.set(runId, { killedAt, wasSeen: true });
      else {
        if (wasSeen) {
          const tookMs = performance.now() - killedAt;
          found.push({ runId, killedAfterMs: killedAt - startedAt, tookMs });
        }
        lost.delete(runId);
      }
    }
  };
  const watch = async () => {
    for (let turn = 0; !stopped.signal.aborted; turn++) {
      const node = fleet.nodes[turn % fleet.nodes.length];
      if (lost.size > 0 && node !== undefined) await look(node).catch(() => undefined);
      await sleep(pauseMs);
    }
  };
  const watching = watch();
  return {
    noteKill: (at, runIds) => {
      for (const runId of runIds) lost.set(runId, { killedAt: at, wasSeen: false });
    },
    found: () => found,
    stop: async () => {
      stopped.abort();
      await watching;
    },
  };
}
