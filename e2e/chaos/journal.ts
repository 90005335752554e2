/** What happened, as far as the report needs it. */
export type Journal = {
  /** Counts something by name. */
  count(what: string, by?: number): void;
  /** Notes that a promise was broken. */
  complain(rule: string, what: string): void;
  counts(): ReadonlyMap<string, number>;
  /** What was found wrong, by the rule that it breaks. */
  complaints(): ReadonlyMap<string, readonly string[]>;
};

export function createJournal(): Journal {
  const counts = new Map<string, number>();
  const complaints = new Map<string, string[]>();
  return {
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
    complain: (rule, what) => {
      const known = complaints.get(rule);
      if (known === undefined) complaints.set(rule, [what]);
      else known.push(what);
    },
    counts: () => counts,
    complaints: () => complaints,
  };
}
