import { button, h } from "../dom.ts";
import * as messages from "./messages.ts";
import type { LogLine, RunState } from "./run-state.ts";
import type { RunHost } from "./run-view.ts";

const maxLines = 500;

type Running = Extract<RunState, { status: "running" }>;

type RunningPart = {
  element: HTMLElement;
  /** Forgets what was asked of an earlier run. */
  begin(): void;
  update(state: Running): void;
};

/** What is seen while a tool works. It is changed in place, so that nobody loses the focus or the place in the log. */
export function createRunningPart(host: Pick<RunHost, "cancel">): RunningPart {
  const status = h("strong");
  const bar = h("progress", { max: 1, "aria-label": messages.progress });
  const message = h("p", { class: "text" });
  const note = h("p", { class: "muted" });
  const log = h("pre", {
    class: "log",
    tabindex: 0,
    "aria-label": messages.log,
    hidden: true,
  });
  const { cancel } = host;
  const cancelButton = cancel === undefined ? undefined : createCancelButton(cancel);
  const element = h(
    "div",
    { class: "running" },
    h("p", { class: "status plain" }, status),
    bar,
    message,
    note,
    log,
    cancelButton?.element,
  );
  const update = (state: Running) => {
    status.textContent = state.isQueued === true ? messages.queued : messages.running;
    cancelButton?.element.toggleAttribute("hidden", state.canCancel === false);
    const fraction = state.progress?.fraction;
    if (fraction === undefined || !(fraction >= 0 && fraction <= 1)) bar.removeAttribute("value");
    else bar.value = fraction;
    message.textContent = (state.progress?.message ?? "").slice(0, 2_000);
    note.textContent = state.note ?? "";
    showTail(log, state.log ?? []);
  };
  return { element, begin: () => cancelButton?.reset(), update };
}

/** Says that it was heard, and offers itself again when that came to nothing. */
function createCancelButton(cancel: NonNullable<RunHost["cancel"]>) {
  // Not `disabled`, which would take the focus away.
  const show = (isAsked: boolean) => {
    element.setAttribute("aria-disabled", String(isAsked));
    element.textContent = isAsked ? messages.cancelling : messages.cancel;
  };
  const element: HTMLButtonElement = button(messages.cancel, () => {
    if (element.getAttribute("aria-disabled") === "true") return;
    show(true);
    Promise.resolve(cancel()).catch(() => show(false));
  });
  return { element, reset: () => show(false) };
}

/** The newest lines; it follows them unless somebody has scrolled up to read. */
function showTail(place: HTMLElement, lines: readonly LogLine[]): void {
  place.hidden = lines.length === 0;
  if (lines.length === 0) return;
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  place.textContent = lines
    .slice(-maxLines)
    .map(
      ({ level, message }) => `${level === "info" ? "" : `[${level}] `}${message.slice(0, 5_000)}`,
    )
    .join("\n");
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}
