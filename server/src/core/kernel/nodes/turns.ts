import type { NodeContext } from "../context.ts";

type TurnContext = Pick<NodeContext, "cluster" | "clock">;

/** A timer may fire a little early. */
const graceMs = 5;

/**
 * Whether it is this node's turn to perform a task that any node may perform. Time is divided into periods, and in each one a single
 * live node has its turn, so that the work of all nodes together does not grow with their number. Nodes whose clocks or lists of nodes
 * differ may have the same turn, or none has it: the task must allow both.
 */
export function hasTurn({ cluster, clock }: TurnContext, name: string, periodMs: number): boolean {
  const { size, rank } = cluster;
  if (size < 2) return true;
  const period = Math.floor(clock.now() / periodMs);
  // One node has the turns of different tasks at different times.
  return (period + offsetOf(name)) % size === rank;
}

/** How long until the next period starts. A node that is alone waits for a whole one. */
export function msUntilTurn({ cluster, clock }: TurnContext, periodMs: number): number {
  if (cluster.size < 2) return periodMs;
  return periodMs - (clock.now() % periodMs) + graceMs;
}

function offsetOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
  return sum;
}
