import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresServer } from "../src/postgres-server.ts";
import { endProcess } from "../src/processes.ts";
import { causeOf } from "./send.ts";
import type { Fleet, FleetNode } from "./fleet.ts";
import type { Journal } from "./journal.ts";
import type { Random } from "./random.ts";
import type { TakeoverWatch } from "./takeovers.ts";

/** A fault at a point in time. */
type Fault = {
  atMs: number;
  kind:
    | "kill"
    | "terminate"
    | "freeze"
    | "kill the sandbox of"
    | "crash database"
    | "cut connections";
  /** The affected node, if any. */
  node: number;
  /** How long the affected part stays down. */
  pauseMs: number;
};

/** How long a frozen node is silent: longer than the timeout after which it counts as offline. */
const frozenMs = 20_000;

/** Schedules faults: each kind at least once, and more of them over a longer time. */
export function planFaults(random: Random, seconds: number, nodes: number): Fault[] {
  const often = (everySeconds: number) => Math.max(1, Math.round(seconds / everySeconds));
  const lastMs = seconds * 1_000 - 2_000;
  const some = (kind: Fault["kind"], count: number, maxPauseMs: number): Fault[] =>
    Array.from({ length: count }, (_, index) => ({
      kind,
      // Each in a separate interval, so that they do not all happen concurrently.
      atMs: 2_000 + ((index + random.next()) / count) * (lastMs - 2_000),
      node: random.between(0, nodes - 1),
      pauseMs: random.between(200, maxPauseMs),
    }));
  return [
    ...some("kill", often(15), 6_000),
    ...some("terminate", often(30), 3_000),
    ...some("freeze", often(90), 200),
    ...some("kill the sandbox of", often(20), 200),
    ...some("crash database", often(90), 3_000),
    ...some("cut connections", often(30), 200),
  ].toSorted((one, other) => one.atMs - other.atMs);
}

export type Shaken = {
  fleet: Fleet;
  postgres: PostgresServer;
  journal: Journal;
  takeovers: TakeoverWatch;
  /** Called with each fault when it happens. */
  print: (line: string) => void;
};

/** Triggers the faults at their times. Everything is running again when it returns. */
export async function happen(plan: readonly Fault[], shaken: Shaken): Promise<void> {
  const startedAt = performance.now();
  const busy = new Set<FleetNode>();
  const under: Promise<void>[] = [];
  const print = (line: string) =>
    shaken.print(`  ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${line}`);
  for (const fault of plan) {
    await sleep(Math.max(0, startedAt + fault.atMs - performance.now()));
    under.push(strike(fault, { ...shaken, print }, busy));
  }
  await Promise.all(under);
}

async function strike(fault: Fault, shaken: Shaken, busy: Set<FleetNode>): Promise<void> {
  const { fleet, postgres, journal, print } = shaken;
  if (fault.kind === "cut connections") {
    // The database may be down at this moment, so there is nothing to cut.
    const count = await postgres.cutConnections().catch(() => 0);
    journal.count("connections cut", count);
    print(`${count} connections cut`);
    return;
  }
  if (fault.kind === "crash database") {
    journal.count("database crashes");
    await postgres.stop("immediate");
    await sleep(fault.pauseMs);
    await postgres.start();
    print(`the database crashed and was down for ${fault.pauseMs} ms`);
    return;
  }
  const from = fleet.nodes.slice(fault.node).concat(fleet.nodes.slice(0, fault.node));
  const node = from.find((candidate) => !busy.has(candidate));
  if (node === undefined) return;
  busy.add(node);
  await strikeNode(fault, node, shaken);
  busy.delete(node);
}

async function strikeNode(fault: Fault, node: FleetNode, shaken: Shaken): Promise<void> {
  const { journal, takeovers, print } = shaken;
  journal.count(`${fault.kind} a node`);
  print(`${fault.kind} ${node.name}`);
  if (fault.kind === "freeze") {
    node.signal("SIGSTOP");
    await sleep(frozenMs);
    node.signal("SIGCONT");
    return;
  }
  if (fault.kind === "kill the sandbox of") {
    const processes = node.sandboxProcesses();
    for (const each of processes) endProcess(each);
    journal.count("sandbox processes killed", processes.length);
    return;
  }
  if (fault.kind === "kill") {
    const at = performance.now();
    await node.end("SIGKILL");
    takeovers.noteKill(
      at,
      node.startedRuns().map(({ runId }) => runId),
    );
  } else {
    const { code, signal } = await node.end("SIGTERM");
    journal.count(`SIGTERM: exit ${code ?? signal}`);
  }
  await sleep(fault.pauseMs);
  try {
    await node.start();
    journal.count("node starts");
    print(`${node.name} is back`);
  } catch (error) {
    journal.reportViolation("a node restarts", `${node.name}: ${causeOf(error)}`);
  }
}
