/** The events that the report needs. */
export type Journal = {
  /** Increments a named counter. */
  count(what: string, by?: number): void;
  /** Records a violated guarantee. */
  reportViolation(rule: string, what: string): void;
  counts(): ReadonlyMap<string, number>;
  /** Details of violations, by guarantee. */
  violations(): ReadonlyMap<string, readonly string[]>;
};

export function createJournal(): Journal {
  const counts = new Map<string, number>();
  const violations = new Map<string, string[]>();
  return {
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
    reportViolation: (rule, what) => {
      const known = violations.get(rule);
      if (known === undefined) violations.set(rule, [what]);
      else known.push(what);
    },
    counts: () => counts,
    violations: () => violations,
  };
}
