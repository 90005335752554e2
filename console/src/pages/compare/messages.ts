/** Texts of the page that compares two runs. */
export const messages = {
  title: "Compare runs",
  lead: "Differences from the other run to this one.",
  back: "View run",
  other: "Other run",
  noOthers: {
    title: "No other run of this tool",
    body: "When the tool has run again, you can compare the runs here.",
  },
  differences: "Differences",
  same: "No differences in input, output, error and log.",
  current: "This run",
  noMatch: "No matching runs",
  choice: (facts: readonly string[]) => facts.join(", "),
  byAt: (user: string, time: string) => `${user}, ${time}`,
  statuses: {
    running: "running",
    completed: "completed",
    failed: "failed",
    cancelled: "cancelled",
  },
  truncated:
    "A part of at least one run is truncated or too large to compare. Download the full values on the pages of the runs.",
  parts: {
    status: "Status",
    version: "Version",
    input: "Input",
    output: "Output",
    error: "Error",
    log: "Log",
  },
} as const;
