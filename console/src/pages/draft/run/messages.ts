/** Texts of the run pane of a draft. */
export const messages = {
  pane: {
    fillIn: "Use example",
    example: (number: number) => `Example ${number}`,
    newTool: "New tool",
    toolErrors: "The tool has errors and can't run.",
  },
  lastRun: {
    label: "Run details",
    saveExample: "Save as example",
    exampleSaved: "Example saved",
    duration: (duration: string) => `Took ${duration}`,
    requests: (host: string, count: number) =>
      `${count} ${count === 1 ? "request" : "requests"} to ${host}`,
    refused: (host: string, count: number) =>
      `${count} refused ${count === 1 ? "request" : "requests"} to ${host}`,
    logs: "Logs",
  },
} as const;
