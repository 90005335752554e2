/** Texts of the widget. */
export const untitled = "Tool";
export const openTool = "Open tool page";
export const useResult = "Use result in chat";
export const cannotPoll = (runId: string) =>
  `Still running. Ask the assistant to check run ${runId}.`;
export const lostRun = (runId: string, reason: string) =>
  `Couldn't get the status of run ${runId}, which may still be running. ${reason}`.trim();

/** What the language model learns about a run that the user started in the widget. */
export const modelRun = (toolName: string, input: string, result: string) =>
  `The user ran ${toolName} from its widget with ${input}. ${result}`;
export const modelOutput = (output: string) => `Output: ${output}`;
export const modelStatus = (status: string) => `Status: ${status}.`;

/** Texts for results that explain themselves poorly or not at all. */
export const toolFailed = "The tool failed.";
export const accessMissing =
  "This tool requests access that you haven't approved. Approve it, then run the tool again.";
export const invalidValue = "Invalid value.";
export const invalidInput = "The input is invalid. Correct it and run the tool again.";
export const noReason = "No reason was given.";

/** Texts for failed uploads. */
export const noFileId = "The server returned no file ID.";
export const uploadBlocked =
  "Large files can't be uploaded from here. Use the tool's page instead.";
export const uploadStatus = (status: number) => `The server responded with status ${status}.`;

/** Texts for failed requests to the app that shows the widget. */
export const hostTimeout = "The app that shows this tool didn't respond.";
export const hostRefused = "The app that shows this tool refused the request.";
export const requestCancelled = "Cancelled.";
