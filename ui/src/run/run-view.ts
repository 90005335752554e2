import { button, compact, h } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createLink } from "../result/link.ts";
import { renderOutput } from "../result/render-output.ts";
import { renderText } from "../result/render-text.ts";
import { lazyDetails } from "../result/render-value.ts";
import { formatDuration } from "../result/format.ts";
import { toPlainText } from "../visible-text.ts";
import * as messages from "./messages.ts";
import type { RunHost, RunPage } from "./run-host.ts";
import { createRunningView } from "./running-view.ts";
import type { LogLine, RunState } from "./run-state.ts";

/** Shows the progress and result of a run. */
export type RunView = { element: HTMLElement; show(state: RunState): void };

/** Creates the view. Results are shown in the order of `outputSchema`, with its titles and descriptions. */
export function createRunView(outputSchema: JsonObject, host: RunHost): RunView {
  const status = h("p", { class: "visually-hidden", role: "status" });
  const alert = h("p", { class: "visually-hidden", role: "alert" });
  const body = h("div");
  const running = createRunningView(host);
  let previous: RunState["status"] = "idle";
  const show = (state: RunState) => {
    if (state.status === "running") {
      if (previous !== "running") running.reset();
      // A log scrolls to its end only in the document.
      if (previous !== "running") body.replaceChildren(running.element);
      running.update(state);
    } else {
      body.replaceChildren(...compact(renderEnd(state, outputSchema, host)));
    }
    const isFailure = ["failed", "missing", "refused"].includes(state.status);
    // Announced once per change, so that screen readers do not read out every line of progress.
    if (state.status !== previous || isFailure) {
      const text = announcementOf(state);
      status.textContent = isFailure ? "" : text;
      alert.textContent = isFailure ? text : "";
    }
    previous = state.status;
  };
  const element = h(
    "section",
    { class: "run", "aria-label": messages.result },
    status,
    alert,
    body,
  );
  return { element, show };
}

function announcementOf(state: RunState): string {
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
      return messages.announceFailed(toPlainText(state.message.slice(0, 300)));
    case "missing":
      return messages.announceMissing;
    case "refused":
      return messages.announceRefused(state.message.slice(0, 300));
  }
  return "";
}

type EndState = Exclude<RunState, { status: "running" }>;

function renderEnd(state: EndState, outputSchema: JsonObject, host: RunHost): Child[] {
  switch (state.status) {
    case "idle":
      break;
    case "completed":
      return [
        renderStatus(messages.completed, "good", state, host),
        state.isShortened === true ? h("p", { class: "muted" }, messages.shortened) : undefined,
        renderOutput(state.output, outputSchema, host),
        renderPage(state.runId, host),
      ];
    case "cancelled":
      return [
        renderStatus(messages.cancelled, "plain", {}, host),
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
        state.reviewUrl &&
          h("p", { class: "more" }, createLink(host, state.reviewUrl, messages.reviewChange)),
      ];
  }
  return [];
}

function renderStatus(
  label: string,
  tone: "good" | "bad" | "plain",
  { durationMs }: { durationMs?: number | undefined },
  { hasStatus = false }: Pick<RunHost, "hasStatus"> = {},
): Child {
  if (hasStatus) return undefined;
  const time =
    durationMs === undefined ? undefined : messages.inDuration(formatDuration(durationMs));
  return h("p", { class: "status" }, h("strong", { class: `ui-badge ${tone}` }, label), time);
}

function renderPage(runId: string | undefined, host: RunHost): Child {
  const page = runId === undefined ? undefined : host.pageOf?.(runId);
  return page && h("p", { class: "more" }, createPageLink(page, host));
}

function createPageLink({ label, url, open }: RunPage, host: RunHost): Node {
  if (open === undefined) return createLink(host, url, label);
  const link = h("a", { href: url }, label);
  link.addEventListener("click", (event) => {
    // With a modifier key, the browser opens a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  return link;
}

function renderFailure(state: Extract<RunState, { status: "failed" }>, host: RunHost): Child[] {
  const { code, message, stack, log, runId } = state;
  return [
    renderStatus(messages.failed, "bad", state, host),
    h(
      "div",
      { class: "ui-note bad" },
      renderText(toPlainText(message)),
      code === undefined ? undefined : h("code", { class: "error-code" }, code),
    ),
    stack === undefined
      ? undefined
      : lazyDetails(messages.stackTrace, () => renderText(toPlainText(stack), "code")),
    log === undefined || log.length === 0
      ? undefined
      : lazyDetails(messages.logOf(log.length), () => renderText(logText(log), "code")),
    renderPage(runId, host),
  ];
}

function logText(log: readonly LogLine[]): string {
  return log.map(({ at, level, message }) => `${at} ${level} ${toPlainText(message)}`).join("\n");
}

function renderMissing(
  { missing, message }: Extract<RunState, { status: "missing" }>,
  host: RunHost,
): Child[] {
  const { openLink, addCredential } = host;
  const items = missing.slice(0, 50).map(({ name, reason, connectUrl }) => {
    const action = actionFor(reason);
    const label = action(name);
    const add = action === messages.add ? addCredential : undefined;
    const open = openLink === undefined ? undefined : () => openLink(connectUrl);
    const onPress = add === undefined ? open : () => add(name);
    return h(
      "li",
      {},
      h("code", {}, name),
      " ",
      onPress === undefined
        ? createLink(host, connectUrl, label)
        : button(label, onPress, { class: "primary" }),
    );
  });
  const areAllConnected = missing.every(({ reason }) => needsReview(reason));
  return [
    renderStatus(
      areAllConnected ? messages.approvalRequired : messages.credentialsRequired,
      "bad",
      {},
    ),
    h("p", { class: "text" }, message),
    h("ul", { class: "missing" }, ...items),
  ];
}

function actionFor(reason: string | undefined): (name: string) => string {
  if (needsReview(reason)) return messages.review;
  return reason === "not_connected" ? messages.connect : messages.add;
}

/** Whether the credential exists, but its owner has not approved its use by the tool. */
function needsReview(reason: string | undefined): boolean {
  return reason === "not_approved" || reason === "not_exposable";
}

function renderErrors(errors: readonly { path: string; message: string }[]): Child {
  if (errors.length === 0) return undefined;
  const items = errors
    .slice(0, 50)
    .map(({ path, message }) => h("li", {}, path === "" ? message : `${path}: ${message}`));
  return h("ul", {}, ...items);
}
