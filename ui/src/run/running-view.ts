import { button, h } from "../dom.ts";
import { toPlainText } from "../visible-text.ts";
import * as messages from "./messages.ts";
import type { RunHost } from "./run-host.ts";
import type { LogLine, RunState } from "./run-state.ts";

const maxLines = 500;

type Running = Extract<RunState, { status: "running" }>;

type RunningView = {
  element: HTMLElement;
  /** Resets the cancel button for a new run. */
  reset(): void;
  update(state: Running): void;
};

/** Creates the view of a running tool. It is updated in element to keep the focus and the scroll position of the log. */
export function createRunningView(
  host: Pick<RunHost, "cancel" | "createQuestionView">,
): RunningView {
  const status = h("strong", { class: "ui-badge strong" });
  const bar = h("progress", { class: "ui-progress", max: 1, "aria-label": messages.progress });
  const message = h("p", { class: "text" });
  const note = h("p", { class: "muted" });
  const log = h("pre", {
    class: "log",
    tabindex: 0,
    "aria-label": messages.log,
    hidden: true,
  });
  const question = host.createQuestionView?.();
  const { cancel } = host;
  const cancelButton = cancel === undefined ? undefined : createCancelButton(cancel);
  const element = h(
    "div",
    { class: "running" },
    // Away from the buttons of a question, which do not end the run.
    h("p", { class: "status" }, status, cancelButton?.element),
    bar,
    message,
    note,
    question?.element,
    log,
  );
  const update = (state: Running) => {
    status.textContent = state.isQueued === true ? messages.queued : messages.running;
    question?.update(state.runId, state.question);
    cancelButton?.element.toggleAttribute("hidden", state.canCancel === false);
    const fraction = state.progress?.fraction;
    if (fraction === undefined || !(fraction >= 0 && fraction <= 1)) bar.removeAttribute("value");
    else bar.value = fraction;
    message.textContent = toPlainText((state.progress?.message ?? "").slice(0, 2_000));
    note.textContent = state.note ?? "";
    showTail(log, state.log ?? []);
  };
  return { element, reset: () => cancelButton?.reset(), update };
}

/** Creates a button that shows that a cancellation is pending, and becomes available again if it fails. */
function createCancelButton(cancel: NonNullable<RunHost["cancel"]>) {
  // `disabled` would remove the focus from the button.
  const show = (isPending: boolean) => {
    element.setAttribute("aria-disabled", String(isPending));
    element.textContent = isPending ? messages.cancelling : messages.cancel;
  };
  const element: HTMLButtonElement = button(messages.cancel, () => {
    if (element.getAttribute("aria-disabled") === "true") return;
    show(true);
    Promise.resolve(cancel()).catch(() => show(false));
  });
  return { element, reset: () => show(false) };
}

/** Shows the newest lines, and scrolls to them unless the user has scrolled up. */
function showTail(element: HTMLElement, lines: readonly LogLine[]): void {
  element.hidden = lines.length === 0;
  if (lines.length === 0) return;
  const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
  element.textContent = lines
    .slice(-maxLines)
    .map(({ level, message }) => {
      const text = toPlainText(message.slice(0, 5_000));
      return level === "info" ? text : `[${level}] ${text}`;
    })
    .join("\n");
  if (isAtEnd) element.scrollTop = element.scrollHeight;
}
