import type { MissingCredential, Progress, RunErrorCode } from "@toolhost/contract";
import { cut, cutWords } from "./json.ts";

/** Why a run failed, after the tool's title; the tool's own error message follows. */
const failures: Record<Exclude<RunErrorCode, "tool_error">, string> = {
  invalid_output: "its output doesn't match its schema; its author needs to fix it",
  timeout: "it took too long",
  cpu_limit: "it used too much CPU time",
  memory_limit: "it used too much memory",
  output_too_large: "its output is too large",
  egress_denied: "it tried to reach a host that isn't allowed",
  interrupted: "the service was stopped during the run, which may have done part of its work",
  sandbox_lost: "its process was lost, and may have done part of its work",
};

/** Texts of the bot's answers. */
export const messages = {
  // Without a language model
  modelUnavailable: "I can't reach the AI model right now, so I searched the tools by keywords.",
  whatToDo: "Tell me what to do in a few words, for example “convert 5 miles to km”.",
  noToolFound: "I found no tool for that. Rephrase it, or browse the tools.",
  browseTools: "Browse tools",
  whichTool: (tools: readonly string[]) => `Which tool do you mean?\n${tools.join("\n")}`,
  isItThis: (tools: readonly string[]) => `Do you mean this tool?\n${tools.join("\n")}`,
  tool: (title: string, description: string) => `${title}: ${description}`,
  notThisOne: "Not this one",
  noneOfThese: "None of these",
  invalidCommandInput: "The input after the tool's name isn't valid JSON.",

  // Phrases
  help: "Tell me what you need, and I'll find a tool for it, for example “convert 5 miles to km”. Say “list tools” to see some of them, and “stop” to cancel a run. In a channel, mention me each time.",
  tools: (lines: readonly string[], hasMore: boolean) =>
    `${hasMore ? "Some of the tools" : "Tools"} that I can run:\n${lines.join("\n")}`,
  listedTool: (title: string, description: string) => `• ${title}: ${cutWords(description, 120)}`,
  noTools: "There are no tools yet.",
  ownTools: "Your tools:",
  welcome: "You're welcome!",
  nothingToStop: "Nothing is running here.",
  feedbackRecorded:
    "Thanks. Your rating is recorded with the run. To try again, tell me what should be different.",
  continuedBelow: (title: string) => `${title}: continued below.`,
  stopped: (count: number) => {
    if (count === 0) return "Stopped.";
    return count === 1 ? "Stopped; the run is cancelled." : `Stopped; ${count} runs are cancelled.`;
  },

  // Before a run
  run: "Run",
  cancel: "Cancel",
  enterDetails: "Enter details",
  stillNeeded: (labels: readonly string[]) => `Still needed: ${labels.join(", ")}`,
  tryNow: "Try now",
  openTool: "Open the tool",
  // `name` is the person's in the chat.
  you: "You",
  runPressed: (title: string, name: string) => `${name} chose to run ${title}.`,
  continuing: (title: string) => `Continuing with ${title}.`,
  submitted: (title: string, name: string) => `${name} entered the details for ${title}.`,
  confirmRun: (title: string) => `Run ${title} with this input?`,
  confirmed: (title: string, name: string) => `${name} confirmed running ${title}.`,
  alwaysAllow: "Always allow for this tool",
  alwaysAllowed: (title: string, name: string) =>
    `${name} confirmed running ${title}, and runs it without confirmation until its code or access changes. To revoke that, open its page, under Sharing.`,
  cancelled: "Cancelled; nothing was run.",
  toolChanged: (title: string) => `${title} has changed since I asked you.`,
  inputTooLong: (title: string) =>
    `The input for ${title} is too long to show here. Run the tool on its page.`,
  willConfirm: "You see the whole input and confirm it before the tool runs.",
  partialForm: "The tool takes more input than this form shows; its page has all fields.",
  needsCredentials: (title: string, credentials: readonly string[]) =>
    `${title} needs ${credentials.join(", ")}.`,
  needsConnection: (title: string, names: readonly string[]) =>
    `${title} needs a connection for ${names.join(", ")}.`,
  needsApproval: (title: string, names: readonly string[]) =>
    `${title} needs your approval to use ${names.join(", ")}.`,
  needsAdmin: (title: string, names: readonly string[]) =>
    `An owner or admin must approve that ${title} uses the workspace's ${names.join(", ")}.`,
  readsValue: (title: string, names: readonly string[]) =>
    `${title} reads the value of ${names.join(", ")}, which its owner has not allowed.`,
  credential: (name: string, description: string) =>
    description === "" ? name : `${name} (${description})`,
  missingCredentials: (problem: string) => `${problem} I'll run it as soon as that's done.`,
  stillMissing: (problem: string) => `Not run yet: ${problem} I'll run it as soon as that's done.`,
  credentialButton: {
    missing: "Add",
    not_connected: "Connect",
    not_approved: "Review",
    not_exposable: "Review",
  } satisfies Record<MissingCredential["reason"], string>,
  invalidInput: (title: string, problems: readonly string[]) =>
    `${title} wasn't run:\n${problems.join("\n")}`,
  inputProblem: (path: string, problem: string) =>
    `• ${path === "" ? "The input" : path.slice(1)} ${problem}`,

  // Forms
  required: "Required.",
  chooseFile: "Choose a file.",
  chooseValue: "Choose one of the values.",
  enterNumber: "Enter a number.",
  enterWholeNumber: "Enter a whole number.",
  enterJson: 'Enter JSON, for example {"name": "value"} or ["one", "two"].',
  dateTimeHint: "For example 2026-01-31T12:00:00Z.",
  timeHint: "In UTC.",
  onePerLine: "One per line.",
  asJson: "As JSON.",

  // While the bot works: `sentence` follows the bot's name
  thinking: { sentence: "is thinking…", title: "Thinking…" },
  working: (title: string) => ({
    sentence: `is running ${cut(title, 60)}…`,
    title: `Running ${cut(title, 60)}…`,
  }),

  // During and after a run
  openRun: "Open the run",
  stop: "Stop",
  running: (title: string, progress?: Progress | null) =>
    `Running ${title}…${progressText(progress)} I'll post the result here.`,
  queued: (title: string, progress?: Progress | null) =>
    `${title} is queued.${progressText(progress)} I'll post the result here.`,
  asks: (title: string) =>
    `${title} asks you a question. Open the run to answer; I'll post the result here.`,
  finished: (title: string) => `${title} finished; result below.`,
  completedWithoutOutput: (title: string) => `${title} finished.`,
  runCancelled: (title: string) => `${title} was cancelled.`,
  failed: (title: string, code: RunErrorCode, hasDetails: boolean) => {
    if (code === "tool_error") return `${title} failed${hasDetails ? ":" : "."}`;
    return `${title} failed: ${failures[code]}.`;
  },
  shortened: (rows?: { shown: number; total: number }) =>
    rows === undefined
      ? "This is part of the output. Open the run for the rest."
      : `Showing ${rows.shown} of ${rows.total} rows. Open the run for the rest.`,
  hasRun: (title: string) => `${title} finished.`,
  empty: "(empty)",
  none: "none",
  yes: "yes",
  no: "no",
  valueOf: (label: string) => `${label}:`,

  // Files
  fileUnavailable: (name: string) => `I can't download the file ${name} from this chat.`,
  fileNotUploaded: "The file couldn't be uploaded. Try again.",
  fileEmpty: (name: string) => `${name} is empty, so it isn't attached.`,
  fileNotAttached: (name: string) => `${name} couldn't be attached. Open the run to download it.`,
  fileTooLarge: (name: string, megabytes: number) =>
    `The file ${name} is too large. The limit is ${megabytes} MB.`,

  // With a language model
  tooManySteps: (steps: number) =>
    `I stopped after ${steps} steps without an answer. Ask for less at a time, or rephrase it.`,
  tooManyTokens: "I stopped because this became too long. Ask for less at a time.",
  interrupted: "I was interrupted; these are the results so far.",
  modelStopped: "The AI model stopped responding; these are the results so far.",
  modelBrokeOff: "The AI model stopped responding.",
  noAnswer: "I have no answer to that. Rephrase it.",
};

function progressText(progress: Progress | null | undefined): string {
  if (progress == null) return "";
  const percent = `${Math.round(Math.max(0, Math.min(1, progress.fraction)) * 100)}%`;
  const words = cut((progress.message ?? "").replaceAll(/\s+/g, " ").trim(), 200);
  return words === "" ? ` ${percent}.` : ` ${percent}: ${words}.`;
}
