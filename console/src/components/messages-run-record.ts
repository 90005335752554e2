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
    tool: "Tool",
    runColumn: "Run",
    toolName: "Tool name",
    status: "Status",
    error: "Error",
    versionColumn: "Version",
    who: "Started by",
    source: "Source",
    sources: {
      console: "Console",
      rest: "REST",
      mcp: "MCP",
      bot: "Chat",
      schedule: "Schedule",
    },
    duration: "Duration",
    started: "Started",
  },
} as const;
