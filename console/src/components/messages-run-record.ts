/** Texts of components that show the record of a run. */
export const messages = {
  logs: {
    title: "Logs",
    empty: "No logs. Use console.log in the tool to write some.",
    earlierLines: (count: number) => `${count} earlier lines are in the file.`,
    download: "Download logs",
  },
  row: {
    unpublishedTool: "Unpublished tool",
    run: (shortId: string) => `Run ${shortId}`,
    draft: "Draft",
    version: (version: number) => `version ${version}`,
  },
} as const;
