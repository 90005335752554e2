import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "./load.ts";
import type { Load } from "./load.ts";
import type { TreeCpu, TreeWatch } from "./process-tree.ts";
import { concurrencies, isolations } from "./settings.ts";
import type { Isolation } from "./settings.ts";
import type { Subject, SubjectName } from "./subjects.ts";

/** One subject with one load. */
export type Cell = { subject: SubjectName; isolation: Isolation | null; concurrency: number };

/** The results of a cell: of one round, or the medians over all rounds. */
export type Figures = {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU milliseconds per request of the subject's whole process tree. */
  cpuMs: number;
  /** The part of `cpuMs` of the subject's own process. */
  ownCpuMs: number;
  /** The part of `cpuMs` of its descendants, which are the sandbox. */
  sandboxCpuMs: number;
};

export type Measurement = Cell & Figures & { problems: string[] };

/** A subject and the watch on its processes. */
export type Watched = { subject: Subject; watch: TreeWatch };

/** What a request of a load costs, with the CPU time before and after it. */
export function figuresOf(load: Load, before: TreeCpu, after: TreeCpu): Figures {
  const requests = load.latenciesMs.length;
  const ownCpuMs = (after.rootMs - before.rootMs) / requests;
  const sandboxCpuMs = (after.descendantsMs - before.descendantsMs) / requests;
  return {
    requests,
    requestsPerSecond: requests / load.seconds,
    p50Ms: quantile(load.latenciesMs, 0.5),
    p99Ms: quantile(load.latenciesMs, 0.99),
    cpuMs: ownCpuMs + sandboxCpuMs,
    ownCpuMs,
    sandboxCpuMs,
  };
}

/**
 * How long a subject gets a load before it is measured with it: the load before may have replaced its processes, and their start
 * is not a part of a run.
 */
export const WARM_UP_SECONDS = 1;

/** Measures each cell once for all subjects, so that changes on the machine affect all of them equally. */
export async function measureRound(
  watched: readonly Watched[],
  seconds: number,
  isReversed: boolean,
): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  const order = isReversed ? watched.toReversed() : watched;
  for (const concurrency of concurrencies) {
    for (const isolation of [null, ...isolations]) {
      for (const { subject, watch } of order) {
        if ((subject.name === "echo") !== (isolation === null)) continue;
        const warmUpLoad = await subject.load(isolation, concurrency, WARM_UP_SECONDS);
        await sleep(subject.drainMs);
        const before = watch.cpu();
        const load = await subject.load(isolation, concurrency, seconds);
        await sleep(subject.drainMs);
        const figures = figuresOf(load, before, watch.cpu());
        const problems = [...warmUpLoad.problems, ...load.problems];
        measured.push({ subject: subject.name, isolation, concurrency, ...figures, problems });
      }
    }
  }
  return measured;
}

const warmUpSteps = 30;
/** Seconds without a new process after which the warm-up has finished. */
const stableSteps = 2;

/** Loads a subject at the highest concurrency until it starts no more processes. Returns the problems. */
export async function warmUp({ subject, watch }: Watched): Promise<string[]> {
  const problems: string[] = [];
  const concurrency = Math.max(...concurrencies);
  for (const isolation of subject.name === "echo" ? [null] : isolations) {
    let processes = 0;
    let stable = 0;
    for (let step = 0; step < warmUpSteps && stable < stableSteps; step++) {
      const load = await subject.load(isolation, concurrency, 1);
      problems.push(...load.problems);
      const before = processes;
      ({ processes } = watch.memory());
      stable = processes === before ? stable + 1 : 0;
      if (load.problems.length > 0) break;
    }
  }
  await sleep(subject.drainMs);
  return problems;
}

/** Combines the rounds of each cell. */
export function summarize(measurements: readonly Measurement[]): Measurement[] {
  const cells = Map.groupBy(measurements, cellKey);
  return [...cells.values()].flatMap((rounds) => {
    const [first] = rounds;
    if (first === undefined) return [];
    const { subject, isolation, concurrency } = first;
    const middle = (figure: keyof Figures) => median(rounds.map((round) => round[figure]));
    return {
      subject,
      isolation,
      concurrency,
      requests: middle("requests"),
      requestsPerSecond: middle("requestsPerSecond"),
      p50Ms: middle("p50Ms"),
      p99Ms: middle("p99Ms"),
      cpuMs: middle("cpuMs"),
      ownCpuMs: middle("ownCpuMs"),
      sandboxCpuMs: middle("sandboxCpuMs"),
      problems: rounds.flatMap(({ problems }) => problems),
    };
  });
}

function cellKey({ subject, isolation, concurrency }: Cell): string {
  return `${subject} ${isolation} ${concurrency}`;
}
