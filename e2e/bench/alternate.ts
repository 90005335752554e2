import { setTimeout as sleep } from "node:timers/promises";
import { median, runLoad } from "./load.ts";
import { figuresOf, WARM_UP_SECONDS } from "./measure.ts";
import type { Figures } from "./measure.ts";
import type { TreeWatch } from "./process-tree.ts";
import { drainMs } from "./settings.ts";

/** One of several that get the same load in turn, so that changes on the machine affect all of them equally. */
export type Contender<Name extends string> = {
  name: Name;
  /** The process whose CPU time counts, with its descendants. */
  watch: TreeWatch;
  /** A request. Rejects for any but the correct response. */
  call: () => Promise<unknown>;
};

export type LoadOptions = { concurrency: number; seconds: number };

/** Warms a contender up, puts load on it and returns what a request costs. Throws if one fails. */
export async function measure(
  { watch, call }: Contender<string>,
  { concurrency, seconds }: LoadOptions,
): Promise<Figures> {
  const loadFor = async (duration: number) => {
    const load = await runLoad(concurrency, duration, async () => void (await call()));
    await sleep(drainMs);
    const [problem] = load.problems;
    if (problem !== undefined) throw new Error(problem);
    return load;
  };
  await loadFor(WARM_UP_SECONDS);
  const before = watch.cpu();
  const load = await loadFor(seconds);
  return figuresOf(load, before, watch.cpu());
}

/** What the contenders cost: the figures of each round, in which every one is measured once. */
export type Alternation<Name extends string> = {
  /** The median of a figure over the rounds. */
  middle: (name: Name, figure: keyof Figures) => number;
  /** The median of the ratios of a figure, each of one round. */
  ratio: (name: Name, base: Name, figure: keyof Figures) => number;
};

/** Measures each contender in turn, in several rounds of alternating order. */
export async function alternate<Name extends string>(
  contenders: readonly Contender<Name>[],
  load: LoadOptions,
  rounds: number,
): Promise<Alternation<Name>> {
  const measured: Map<Name, Figures>[] = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    const figures = new Map<Name, Figures>();
    for (const contender of order) figures.set(contender.name, await measure(contender, load));
    measured.push(figures);
  }
  const value = (figures: Map<Name, Figures>, name: Name, figure: keyof Figures) =>
    figures.get(name)?.[figure] ?? Number.NaN;
  return {
    middle: (name, figure) => median(measured.map((figures) => value(figures, name, figure))),
    ratio: (name, base, figure) =>
      median(
        measured.map((figures) => value(figures, name, figure) / value(figures, base, figure)),
      ),
  };
}
