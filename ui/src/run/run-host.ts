import type { ResultHost } from "../result/link.ts";
import type { RunQuestion } from "./run-state.ts";

/** The place where questions of a run are shown. */
export type QuestionView = {
  element: HTMLElement;
  /** Shows the question of a run, or nothing. The same question keeps what the user has entered. */
  update(runId: string | undefined, question: RunQuestion | undefined): void;
};

/** What the host provides for a run. */
export type RunHost = ResultHost & {
  /**
   * Cancels the run that is shown. Without this function there is no button for it. If it rejects, the button can be pressed
   * again.
   */
  cancel?: (() => void | Promise<void>) | undefined;
  /** Creates the place for questions. An option, because the widget has no room for the form. */
  createQuestionView?: (() => QuestionView) | undefined;
  /** Adds a credential where the user is. Without this function, or for other reasons, a link leads to its page. */
  addCredential?: ((name: string) => void) | undefined;
  /** Whether the page around the result already has the status and the duration of a run that ended. */
  hasStatus?: boolean | undefined;
  /** The page with more about a run or its tool. */
  pageOf?: ((runId: string) => RunPage | undefined) | undefined;
};

/** A page about a run. With `open`, a click opens it in place; otherwise it opens in a new window. */
export type RunPage = { label: string; url: string; open?: () => void };
