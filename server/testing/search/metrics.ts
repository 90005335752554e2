import type { LabeledQuery } from "./dataset.ts";

/** Quality of the ranking of one query, or the mean of several; each from 0 to 1. */
export type Quality = {
  ndcg10: number;
  recall5: number;
  /** Whether the first result is relevant. */
  hit1: number;
  /** Whether one of the first five is. */
  hit5: number;
};

/** Rates a ranking, best first, by which tools are relevant. */
export function rate(relevant: readonly string[], ranked: readonly string[]): Quality {
  const isRelevant = ranked.map((name) => relevant.includes(name));
  const hits = (count: number) => isRelevant.slice(0, count).filter(Boolean).length;
  const ideal = gain(Array<boolean>(Math.min(relevant.length, 10)).fill(true));
  return {
    ndcg10: ideal === 0 ? 0 : gain(isRelevant.slice(0, 10)) / ideal,
    recall5: relevant.length === 0 ? 0 : hits(5) / relevant.length,
    hit1: hits(1) > 0 ? 1 : 0,
    hit5: hits(5) > 0 ? 1 : 0,
  };
}

/** Discounted cumulative gain: a relevant result counts less the later it comes. */
function gain(flags: readonly boolean[]): number {
  return flags.reduce((sum, flag, index) => sum + (flag ? 1 / Math.log2(index + 2) : 0), 0);
}

/** The mean of ratings; all zero without any. */
export function meanOf(ratings: readonly Quality[]): Quality {
  const mean = (key: keyof Quality) =>
    ratings.reduce((sum, rating) => sum + rating[key], 0) / Math.max(ratings.length, 1);
  return {
    ndcg10: mean("ndcg10"),
    recall5: mean("recall5"),
    hit1: mean("hit1"),
    hit5: mean("hit5"),
  };
}

/** One line of figures. */
function formatQuality(name: string, count: number, quality: Quality): string {
  const figures = Object.entries(quality).map(([key, value]) => `${key} ${value.toFixed(4)}`);
  return `${name.padEnd(24)} ${String(count).padStart(5)}  ${figures.join("  ")}`;
}

/** Quality by group of queries, then of all. */
export function report(queries: readonly LabeledQuery[], ratings: readonly Quality[]): string {
  const groups = Map.groupBy(ratings.keys(), (index) => queries[index]?.group ?? "");
  const lines = [...groups].map(([group, indexes]) => {
    const own = indexes.flatMap((index) => ratings[index] ?? []);
    return formatQuality(group, own.length, meanOf(own));
  });
  const all = formatQuality("all", ratings.length, meanOf(ratings));
  return `${(groups.size > 1 ? [...lines, all] : [all]).join("\n")}\n`;
}
