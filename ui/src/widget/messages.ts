/** Texts of the widget. */
export const widgetMessages = {
  untitled: "Tool",
  openTool: "Open tool page",
  useResult: "Use result in chat",
  cannotPoll: (runId: string) => `Still running. Ask the assistant to check run ${runId}.`,
  lostRun: (runId: string, reason: string) =>
    `Couldn't get the status of run ${runId}, which may still be running. ${reason}`.trim(),
};

/** What the language model learns about a run that the person started in the widget. */
export const modelMessages = {
  run: (toolName: string, input: string, result: string) =>
    `The user ran ${toolName} from its widget with ${input}. ${result}`,
  output: (output: string) => `Output: ${output}`,
  status: (status: string) => `Status: ${status}.`,
};

/** Texts for results that explain themselves poorly or not at all. */
export const failureMessages = {
  failed: "The tool failed.",
  missing: "This tool needs access that you haven't granted. Grant it, then run the tool again.",
  invalidField: "Invalid value.",
  invalidInput: "The input is invalid. Correct it and run the tool again.",
  unexplained: "No reason was given.",
};

/** Texts for failed uploads. */
export const uploadMessages = {
  noFileId: "The server returned no file ID.",
  blocked: "Large files can't be uploaded from here. Use the tool's page instead.",
  status: (status: number) => `The server responded with status ${status}.`,
};

/** Texts for failed requests to the app that shows the widget. */
export const hostMessages = {
  timeout: "The app that shows this tool didn't respond.",
  refused: "The app that shows this tool refused the request.",
  cancelled: "Cancelled.",
};
