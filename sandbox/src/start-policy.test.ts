import { afterEach, describe, expect, test, vi } from "vitest";
import type { LeaseRequest } from "./lease-request.ts";
import { StartPolicy } from "./start-policy.ts";
import type { LeasedProcess } from "./start-policy.ts";

const request = (workspaceId = "a", key = "key"): LeaseRequest => ({
  workspaceId,
  key,
  codeId: "code",
  isolation: "reuse",
  isChild: false,
});

/** A process of a workspace whose lease before took `leaseMs`, and that is leased since `sinceMs`. */
const leased = (leaseMs: number | undefined, sinceMs = 0, workspaceId = "a"): LeasedProcess => ({
  workspaceId,
  isolates: new Set(["key"]),
  leasedAt: performance.now() - sinceMs,
  leaseMs,
});

describe("a waiting run on a busy machine", () => {
  let rechecks = 0;
  let isSaturated = true;
  const demand = { isSaturated: () => isSaturated };
  const policy = new StartPolicy(() => void (rechecks += 1), demand);
  const count = (waiting: LeaseRequest[], processes: LeasedProcess[]) =>
    policy.withoutPatient(waiting, processes).length;
  afterEach(() => {
    policy.stop();
    isSaturated = true;
  });

  test("waits for a process that serves short runs", () => {
    expect(count([request()], [leased(5)])).toBe(0);
    expect(
      count(
        Array.from({ length: 10 }, () => request()),
        [leased(5)],
      ),
    ).toBe(0);
  });

  test("gets a new process if others are served first for as long as a start takes", () => {
    expect(
      count(
        Array.from({ length: 30 }, () => request()),
        [leased(5), leased(5)],
      ),
    ).toBe(10);
  });

  test("gets a new process if the leases take long, or for an unknown time", () => {
    expect(count([request()], [leased(5_000)])).toBe(1);
    expect(count([request()], [leased(undefined)])).toBe(1);
    expect(count([request()], [leased(5, 100)])).toBe(1);
    expect(count([request()], [])).toBe(1);
    const sleeping = Array.from({ length: 64 }, () => leased(5, 1_000));
    expect(count([request()], sleeping)).toBe(1);
  });

  test("gets a new process while cores are free", () => {
    isSaturated = false;
    expect(count([request(), request()], [leased(5)])).toBe(2);
  });

  test("does not wait for a process of another workspace", () => {
    expect(count([request("b"), request("a")], [leased(5)])).toBe(1);
  });

  test("waits for longer where starts take longer", () => {
    const slow = new StartPolicy(() => undefined, demand);
    for (let start = 0; start < 30; start++) slow.noteStart(500);
    expect(slow.withoutPatient([request()], [leased(200)])).toHaveLength(0);
    slow.stop();
  });

  test("is considered again while it waits", async () => {
    count([request()], [leased(5)]);
    await vi.waitFor(() => expect(rechecks).toBe(1));
  });
});

describe("a run in a reused isolate", () => {
  let isSaturated = false;
  const policy = new StartPolicy(() => undefined, { isSaturated: () => isSaturated });
  afterEach(() => {
    policy.stop();
    isSaturated = false;
  });
  const full = new Set(Array.from({ length: 60 }, (_, i) => `key ${i}`));
  const needy = (waiting: LeaseRequest[], processes: LeasedProcess[]) => {
    const isSoonServed = policy.soonServed(processes);
    return waiting.filter((one) => !isSoonServed(one)).length;
  };

  test("waits for the process that has its isolate, if that will be free soon", () => {
    expect(needy([request()], [leased(2)])).toBe(0);
    expect(needy([request("a", "other")], [leased(2)])).toBe(1);
    expect(needy([{ ...request(), isolation: "fresh" }], [leased(2)])).toBe(1);
    expect(needy([request()], [leased(20)])).toBe(1);
    expect(needy([request()], [leased(2, 13)])).toBe(1);
  });

  test("waits for a process that a run before it has just got", () => {
    const processes: LeasedProcess[] = [];
    const isSoonServed = policy.soonServed(processes);
    expect(isSoonServed(request("a", "other"))).toBe(false);
    processes.push(leased(2));
    expect(isSoonServed(request())).toBe(true);
  });

  test("gets another isolate if as many wait as take longer than that", () => {
    const waiting = Array.from({ length: 10 }, () => request());
    expect(needy(waiting, [leased(2)])).toBe(4);
  });

  test("waits for longer while all cores are busy", () => {
    const waiting = Array.from({ length: 10 }, () => request());
    isSaturated = true;
    expect(needy(waiting, [leased(2)])).toBe(0);
    expect(policy.hasEnough(1)).toBe(false);
    expect(policy.hasEnough(1_000)).toBe(true);
    isSaturated = false;
    expect(policy.hasEnough(1_000)).toBe(false);
  });

  test("does not wait for a process that is full and has not loaded its tool", () => {
    isSaturated = true;
    const process = { ...leased(1), isolates: full };
    expect(policy.withoutPatient([request()], [process])).toHaveLength(1);
    expect(policy.withoutPatient([request("a", "key 7")], [process])).toHaveLength(0);
  });
});
