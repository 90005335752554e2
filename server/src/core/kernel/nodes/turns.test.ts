import { describe, expect, it } from "vitest";
import { createCluster } from "./cluster.ts";
import { hasTurn, msUntilTurn } from "./turns.ts";

const periodMs = 1_000;

function contextsOf(size: number, now: () => number) {
  return Array.from({ length: size }, (_, rank) => ({
    cluster: { ...createCluster(), size, rank },
    clock: { now },
  }));
}

describe("hasTurn", () => {
  it.each([2, 3, 100])("gives each of %i nodes one turn in as many periods", (size) => {
    let now = 1_790_000_000_000;
    const contexts = contextsOf(size, () => now);
    const turns = new Map<number, number>();
    for (let period = 0; period < size; period += 1, now += periodMs) {
      const having = contexts.filter((context) => hasTurn(context, "sealing", periodMs));
      expect(having).toHaveLength(1);
      for (const { cluster } of having) turns.set(cluster.rank, (turns.get(cluster.rank) ?? 0) + 1);
    }
    expect([...turns.values()]).toEqual(Array.from({ length: size }, () => 1));
  });

  it("gives every turn to a node that is alone", () => {
    const [alone] = contextsOf(1, () => 1_790_000_000_123);
    expect(alone !== undefined && hasTurn(alone, "sealing", periodMs)).toBe(true);
  });

  it("gives the turns of different tasks to different nodes", () => {
    const contexts = contextsOf(50, () => 1_790_000_000_000);
    const names = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    const ranks = names.map((name) => contexts.findIndex((one) => hasTurn(one, name, periodMs)));
    expect(new Set(ranks).size).toBeGreaterThan(5);
  });
});

describe("msUntilTurn", () => {
  it("ends shortly after the start of the next period, when all nodes look for their turn", () => {
    const [node] = contextsOf(2, () => 1_790_000_000_300);
    expect(node === undefined ? 0 : msUntilTurn(node, periodMs)).toBe(705);
  });
});
