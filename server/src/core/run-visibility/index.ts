export type { RunViewer } from "./run-visibility.ts";
export {
  findHiddenRuns,
  hideAskers,
  hideUnfinishedRuns,
  isRunVisible,
  othersPrivateTools,
} from "./run-visibility.ts";
