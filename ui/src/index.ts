export { createToolView, readTool } from "./tool-view.ts";
export type { ShownTool, ToolHost, ToolView } from "./tool-view.ts";
export { createRunView } from "./run/run-view.ts";
export { createQuestionView } from "./run/question-view.ts";
export type { RunAnswer } from "./run/question-view.ts";
export type { RunHost } from "./run/run-host.ts";
export type { RunView } from "./run/run-view.ts";
export type {
  LogLine,
  MissingCredential,
  RunProgress,
  RunQuestion,
  RunState,
} from "./run/run-state.ts";
export type { UploadedFile } from "./form/field.ts";
export type { FileReference } from "./result/link.ts";
export { renderMarkdown } from "./result/markdown.ts";
export { styles } from "./styles.ts";
