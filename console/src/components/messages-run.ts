/** Texts of components that show a run. */
export const messages = {
  openRun: "Open run",
  history: {
    lastRun: (run: string) => `Last run: ${run}`,
    lastRuns: (count: number, counts: string, latest: string) =>
      `Last ${count} runs: ${counts}. Latest: ${latest}`,
  },
} as const;
