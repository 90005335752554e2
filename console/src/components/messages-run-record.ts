/** Texts of components that show the record of a run. */
export const messages = {
  log: {
    title: "Log",
    empty: "No log lines. Use console.log in the tool to write some.",
    earlierLines: (count: number) => `${count} earlier lines are in the file.`,
    download: "Download log",
  },
  row: {
    unpublishedTool: "Unpublished tool",
    run: (shortId: string) => `Run ${shortId}`,
    draft: "Draft",
    question: "Waiting for an answer",
    version: (version: number) => `version ${version}`,
  },
} as const;
