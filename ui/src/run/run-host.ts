import type { ResultHost } from "../result/link.ts";

/** What the host provides for a run. */
export type RunHost = ResultHost & {
  /**
   * Cancels the run that is shown. Without this function there is no button for it. If it rejects, the button can be pressed
   * again.
   */
  cancel?: (() => void | Promise<void>) | undefined;
  /** The page with more about a run or its tool. */
  pageOf?: ((runId: string) => { label: string; url: string } | undefined) | undefined;
};
