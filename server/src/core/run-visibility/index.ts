export type { RunViewer } from "./run-visibility.ts";
export {
  findHiddenRuns,
  hideUnfinishedRuns,
  isRunVisible,
  othersPrivateTools,
} from "./run-visibility.ts";
