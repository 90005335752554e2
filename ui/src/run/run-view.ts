import { button, compact, h } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createLink } from "../result/link.ts";
import type { ResultHost } from "../result/link.ts";
import { renderOutput } from "../result/render-output.ts";
import { renderText } from "../result/render-text.ts";
import { lazyDetails } from "../result/render-value.ts";
import { formatDuration } from "../result/format.ts";
import * as messages from "./messages.ts";
import { createRunningPart } from "./running-part.ts";
import type { LogLine, RunState } from "./run-state.ts";

/** What the host does for whoever looks at a run. */
export type RunHost = ResultHost & {
  /** Ends the run that is shown. Without it no button offers that; when it rejects, the button offers it again. */
  cancel?: (() => void | Promise<void>) | undefined;
  /** The page where more is seen of a run, or of its tool. */
  pageOf?: ((runId: string) => { label: string; url: string } | undefined) | undefined;
};

/** The place where a run's progress and result are seen. */
export type RunView = { element: HTMLElement; show(state: RunState): void };

/** Makes the place. `outputSchema` says in which order and with which words results are shown. */
export function createRunView(outputSchema: JsonObject, host: RunHost): RunView {
  const spoken = h("p", { class: "visually-hidden", role: "status" });
  const alarm = h("p", { class: "visually-hidden", role: "alert" });
  const body = h("div");
  const running = createRunningPart(host);
  let before: RunState["status"] = "idle";
  const show = (state: RunState) => {
    if (state.status === "running") {
      if (before !== "running") running.begin();
      running.update(state);
      if (before !== "running") body.replaceChildren(running.element);
    } else {
      body.replaceChildren(...compact(renderEnd(state, outputSchema, host)));
    }
    const isBad = ["failed", "missing", "refused"].includes(state.status);
    // Said once for each change; what a running tool reports is not read out line by line.
    if (state.status !== before || isBad) {
      const words = inWords(state);
      spoken.textContent = isBad ? "" : words;
      alarm.textContent = isBad ? words : "";
    }
    before = state.status;
  };
  const element = h(
    "section",
    { class: "run", "aria-label": messages.result },
    spoken,
    alarm,
    body,
  );
  return { element, show };
}

function inWords(state: RunState): string {
  switch (state.status) {
    case "idle":
      break;
    case "running":
      return messages.announceRunning;
    case "completed":
      return messages.announceCompleted;
    case "cancelled":
      return messages.announceCancelled;
    case "failed":
      return messages.announceFailed(state.message.slice(0, 300));
    case "missing":
      return messages.announceMissing;
    case "refused":
      return messages.announceRefused(state.message.slice(0, 300));
  }
  return "";
}

type Ended = Exclude<RunState, { status: "running" }>;

function renderEnd(state: Ended, outputSchema: JsonObject, host: RunHost): Child[] {
  switch (state.status) {
    case "idle":
      break;
    case "completed":
      return [
        renderStatus(messages.completed, "good", state),
        renderOutput(state.output, outputSchema, host),
        renderPage(state.runId, host),
      ];
    case "cancelled":
      return [
        renderStatus(messages.cancelled, "plain", {}),
        state.message === undefined ? undefined : h("p", {}, state.message),
        renderPage(state.runId, host),
      ];
    case "failed":
      return renderFailure(state, host);
    case "missing":
      return renderMissing(state, host);
    case "refused":
      return [
        renderStatus(messages.notStarted, "bad", {}),
        h("div", { class: "message" }, renderText(state.message, "code")),
        renderErrors(state.errors ?? []),
      ];
  }
  return [];
}

function renderStatus(
  label: string,
  tone: "good" | "bad" | "plain",
  { durationMs }: { durationMs?: number | undefined },
): HTMLElement {
  const time =
    durationMs === undefined ? undefined : messages.inDuration(formatDuration(durationMs));
  return h("p", { class: `status ${tone}` }, h("strong", {}, label), time);
}

function renderPage(runId: string | undefined, host: RunHost): Child {
  const page = runId === undefined ? undefined : host.pageOf?.(runId);
  return page && h("p", { class: "more" }, createLink(host, page.url, page.label));
}

function renderFailure(state: Extract<RunState, { status: "failed" }>, host: RunHost): Child[] {
  const { code, message, stack, log, runId } = state;
  return [
    renderStatus(messages.failed, "bad", state),
    code === undefined ? undefined : h("p", {}, h("code", { class: "error-code" }, code)),
    h("div", { class: "message" }, renderText(message, "code")),
    stack === undefined
      ? undefined
      : lazyDetails(messages.stackTrace, () => renderText(stack, "code")),
    log === undefined || log.length === 0
      ? undefined
      : lazyDetails(messages.logOf(log.length), () => renderText(logText(log), "code")),
    renderPage(runId, host),
  ];
}

/** A log as lines of text. */
function logText(log: readonly LogLine[]): string {
  return log.map(({ at, level, message }) => `${at} ${level} ${message}`).join("\n");
}

function renderMissing(
  { missing, message }: Extract<RunState, { status: "missing" }>,
  host: RunHost,
): Child[] {
  const { openLink } = host;
  const items = missing.slice(0, 50).map(({ name, reason, connectUrl }) => {
    const label = isDecision(reason) ? messages.review(name) : messages.connect(name);
    return h(
      "li",
      {},
      h("code", {}, name),
      " ",
      openLink === undefined
        ? createLink(host, connectUrl, label)
        : button(label, () => openLink(connectUrl), { class: "primary" }),
    );
  });
  const isConnected = missing.every(({ reason }) => isDecision(reason));
  return [
    renderStatus(isConnected ? messages.approvalRequired : messages.credentialsRequired, "bad", {}),
    h("p", { class: "text" }, message),
    h("ul", { class: "missing" }, ...items),
  ];
}

/** The credential is there, and its owner decides whether the tool gets it. */
function isDecision(reason: string | undefined): boolean {
  return reason === "not_approved" || reason === "not_exposable";
}

function renderErrors(errors: readonly { path: string; message: string }[]): Child {
  if (errors.length === 0) return undefined;
  const items = errors
    .slice(0, 50)
    .map(({ path, message }) => h("li", {}, path === "" ? message : `${path}: ${message}`));
  return h("ul", {}, ...items);
}
