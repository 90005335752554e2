import { button, h } from "../dom.ts";
import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createRunView } from "../run/run-view.ts";
import type { RunState } from "../run/run-state.ts";
import { createToolView, readTool } from "../tool-view.ts";
import type { ToolHost } from "../tool-view.ts";
import type { Host, HostEvents, ToolResult } from "./host.ts";
import { loadImage } from "./load-image.ts";
import { pollRun } from "./poll-run.ts";
import * as messages from "./messages.ts";
import { parseResult } from "./parse-result.ts";
import { uploadFile } from "./upload-file.ts";

/** The widget. Its events can arrive in any order. */
export type App = Omit<HostEvents, "onAppearance"> & {
  onHost(host: Host): void;
  onHostError(message: string): void;
};

/** The state of the widget. */
type Model = {
  container: HTMLElement;
  footer: HTMLElement;
  host: Host | undefined;
  toolName: string | undefined;
  toolUrl: string | undefined;
  input: JsonObject;
  state: RunState;
  show: (state: RunState) => void;
  /** Increased by each run and each poll, so that late results of earlier ones are ignored. */
  runCount: number;
  hasRequestedTool: boolean;
  /** Aborts the call that the user started in the widget. */
  call: AbortController | undefined;
};

/** Creates the widget in an element. */
export function createApp(container: HTMLElement): App {
  const model: Model = {
    container,
    footer: h("div", { class: "toolhost" }),
    host: undefined,
    toolName: undefined,
    toolUrl: undefined,
    input: {},
    state: { status: "idle" },
    show: () => {},
    runCount: 0,
    hasRequestedTool: false,
    call: undefined,
  };
  showWithoutForm(model);
  return {
    onHost: (host) => {
      model.host = host;
      showWithoutForm(model);
      void loadTool(model);
      if (model.state.status === "running") poll(model, 0);
    },
    onHostError: (message) => update(model, { status: "refused", message }),
    onToolInput: (args) => {
      model.toolName = textAt(args, "tool_name") ?? model.toolName;
      model.input = parseInput(args);
      if (model.state.status === "idle") model.state = { status: "running", canCancel: false };
      showWithoutForm(model);
      void loadTool(model);
    },
    onToolResult: (result) => handleResult(model, result),
    onToolCancelled: (reason) => update(model, { status: "cancelled", message: reason }),
  };
}

/** Parses the arguments. Some models write them as JSON text, and hosts pass that on. */
function parseInput(args: JsonObject): JsonObject {
  const given = own(args, "arguments");
  if (typeof given !== "string") return isObject(given) ? given : {};
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function update(model: Model, state: RunState): void {
  model.state = state;
  model.show(state);
}

/** Shows the run without a form, until the tool is loaded or if the host does not let widgets call tools. */
function showWithoutForm(model: Model): void {
  if (model.hasRequestedTool) return;
  const view = createRunView({}, toToolHost(model));
  const title = model.toolName ?? messages.untitled;
  const article = h("article", { class: "toolhost" }, h("h1", {}, title), view.element);
  model.container.replaceChildren(article, model.footer);
  model.show = (state) => view.show(state);
  model.show(model.state);
}

/** Loads the tool's schemas and shows its form. If that fails, the result stays without a form. */
async function loadTool(model: Model): Promise<void> {
  const { host, toolName } = model;
  if (host?.callTool === undefined || toolName === undefined || model.hasRequestedTool) return;
  model.hasRequestedTool = true;
  const tool = await host.callTool("service_get_skill", { tool_names: [toolName] }).then(
    (result) => {
      const { state } = parseResult(result);
      const output = result.structuredContent ?? (state.status === "completed" ? state.output : {});
      const tools = own(output, "tools");
      return readTool(Array.isArray(tools) ? tools[0] : undefined);
    },
    () => undefined,
  );
  if (tool === undefined) return;
  const view = createToolView(tool, model.input, {
    ...toToolHost(model),
    run: (input) => void run(model, input),
    areResultsFirst: true,
    headingLevel: 1,
  });
  model.container.replaceChildren(view.element, model.footer);
  model.show = (state) => view.show(state);
  model.show(model.state);
}

function toToolHost(model: Model): ToolHost {
  const { callTool, readResource, openLink } = model.host ?? {};
  return {
    upload: callTool === undefined ? undefined : (file) => uploadFile(callTool, file),
    loadImage: readResource === undefined ? undefined : (file) => loadImage(readResource, file),
    openLink,
    cancel: () => model.call?.abort(),
    pageOf: () =>
      model.toolUrl === undefined ? undefined : { label: messages.openTool, url: model.toolUrl },
  };
}

function handleResult(model: Model, result: ToolResult): void {
  const { state, toolName, toolUrl, pollAfterMs } = parseResult(result);
  model.toolName ??= toolName;
  model.toolUrl = toolUrl ?? model.toolUrl;
  update(model, state.status === "running" ? { ...state, canCancel: false } : state);
  if (!model.hasRequestedTool) showWithoutForm(model);
  void loadTool(model);
  if (state.status === "running") poll(model, pollAfterMs);
}

/** Runs the tool with the input of the form. */
async function run(model: Model, input: JsonObject): Promise<void> {
  const { host, toolName } = model;
  if (host?.callTool === undefined || toolName === undefined) return;
  model.runCount += 1;
  const current = model.runCount;
  model.call = new AbortController();
  model.input = input;
  model.footer.replaceChildren();
  update(model, { status: "running", canCancel: true });
  const { signal } = model.call;
  const args = { tool_name: toolName, arguments: input };
  try {
    const result = await host.callTool("service_execute_tool", args, signal);
    if (current === model.runCount) handleResult(model, result);
  } catch (error) {
    if (current !== model.runCount) return;
    if (signal.aborted) update(model, { status: "cancelled" });
    else update(model, { status: "refused", message: error instanceof Error ? error.message : "" });
  }
  if (current === model.runCount) reportEnd(model);
}

/** Polls a run that is still running. */
function poll(model: Model, delayMs: number): void {
  const { host, state } = model;
  if (host === undefined || state.status !== "running" || state.runId === undefined) return;
  const { runId } = state;
  if (host.callTool === undefined) {
    return update(model, { ...state, note: messages.cannotPoll(runId) });
  }
  model.runCount += 1;
  const current = model.runCount;
  void pollRun(host.callTool, { runId, delayMs }, (result) => {
    if (current !== model.runCount) return false;
    const { state: latest } = parseResult(result);
    const hasEnded = latest.status !== "running";
    update(model, hasEnded ? latest : { ...latest, canCancel: false });
    if (hasEnded) reportEnd(model);
    return !hasEnded;
  }).catch((error: unknown) => {
    if (current !== model.runCount) return;
    const reason = error instanceof Error ? error.message : "";
    update(model, { status: "refused", message: messages.lostRun(runId, reason) });
  });
}

/** Reports a run that the user started to the model, which cannot see it, and offers to send the result to the chat. */
function reportEnd({ host, state, call, toolName = "", input, footer }: Model): void {
  if (host === undefined || call === undefined || state.status === "running") return;
  const result =
    state.status === "completed"
      ? messages.modelOutput(JSON.stringify(state.output).slice(0, 8_000))
      : messages.modelStatus(state.status);
  const text = messages.modelRun(toolName, JSON.stringify(input).slice(0, 4_000), result);
  host.updateModelContext?.(text);
  const { sendMessage } = host;
  if (sendMessage === undefined || state.status !== "completed") return;
  footer.replaceChildren(button(messages.useResult, () => sendMessage(text)));
}
