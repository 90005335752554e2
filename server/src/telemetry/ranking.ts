/** `lost` is a failure of the service, not of the tool. */
type Outcome = "completed" | "failed" | "cancelled" | "lost";

/** How many runs of one subject, such as a tool, ended in which way. */
export type Ranked<Labels> = { labels: Labels; ends: Record<Outcome, number> };

/** Counts the ends of runs of the subjects that are busiest, in bounded memory. */
export type Ranking<Labels> = {
  note(key: string, labels: Labels, outcome: Outcome): void;
  /** The `count` subjects with the most runs of late, and the `count` with the most failures. */
  top(count: number): Ranked<Labels>[];
};

const halfLifeMs = 5 * 60_000;

type Entry<Labels> = Ranked<Labels> & { score: number; failures: number; at: number };

/** Creates a ranking of at most `limit` subjects; those without a run for longest are forgotten. */
export function createRanking<Labels>(
  limit: number,
  now: () => number = () => performance.now(),
): Ranking<Labels> {
  // A Map iterates in insertion order, so the first entry is the one unused for longest.
  const entries = new Map<string, Entry<Labels>>();
  return {
    note: (key, labels, outcome) => {
      const at = now();
      const entry = entries.get(key) ?? {
        labels,
        ends: { completed: 0, failed: 0, cancelled: 0, lost: 0 },
        score: 0,
        failures: 0,
        at,
      };
      const { score, failures } = decayed(entry, at);
      entry.score = score + 1;
      entry.failures = failures + (outcome === "failed" ? 1 : 0);
      entry.at = at;
      entry.ends[outcome] += 1;
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
    },
    top: (count) => {
      const at = now();
      const all = [...entries.values()].map((entry) => ({ entry, ...decayed(entry, at) }));
      const busiest = all.toSorted((one, other) => other.score - one.score).slice(0, count);
      const failing = all
        .filter(({ failures }) => failures > 0)
        .toSorted((one, other) => other.failures - one.failures)
        .slice(0, count);
      return [...new Set([...busiest, ...failing].map(({ entry }) => entry))];
    },
  };
}

function decayed<Labels>({ score, failures, at }: Entry<Labels>, now: number) {
  const factor = 2 ** ((at - now) / halfLifeMs);
  return { score: score * factor, failures: failures * factor };
}
