export type { RunViewer } from "./run-visibility.ts";
export { findHiddenRuns, isRunVisible, othersPrivateTools } from "./run-visibility.ts";
