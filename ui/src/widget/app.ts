import { button, h } from "../dom.ts";
import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createRunView } from "../run/run-view.ts";
import type { RunState } from "../run/run-state.ts";
import { createToolView, readTool } from "../tool-view.ts";
import type { ToolHost } from "../tool-view.ts";
import type { Host, HostEvents, ToolResult } from "./host.ts";
import { loadImage } from "./load-image.ts";
import { followRun } from "./follow-run.ts";
import * as messages from "./messages.ts";
import { readResult } from "./read-result.ts";
import { uploadFile } from "./upload-file.ts";

/** The widget: fed with what the host tells, in whatever order that comes. */
export type App = Omit<HostEvents, "onLook"> & {
  onHost(host: Host): void;
  onHostError(message: string): void;
};

/** What the widget knows. */
type Model = {
  place: HTMLElement;
  footer: HTMLElement;
  host: Host | undefined;
  toolName: string | undefined;
  toolUrl: string | undefined;
  input: JsonObject;
  state: RunState;
  show: (state: RunState) => void;
  /** Counts the runs, so that what comes late of an earlier one is not taken for the newest. */
  round: number;
  hasAskedForTool: boolean;
  /** Ends the call that the person began here. */
  call: AbortController | undefined;
};

/** Makes the widget in this place. */
export function createApp(place: HTMLElement): App {
  const model: Model = {
    place,
    footer: h("div", { class: "toolhost" }),
    host: undefined,
    toolName: undefined,
    toolUrl: undefined,
    input: {},
    state: { status: "idle" },
    show: () => {},
    round: 0,
    hasAskedForTool: false,
    call: undefined,
  };
  showPlainly(model);
  return {
    onHost: (host) => {
      model.host = host;
      showPlainly(model);
      void learnTool(model);
      if (model.state.status === "running") follow(model, 0);
    },
    onHostError: (message) => update(model, { status: "refused", message }),
    onToolInput: (args) => {
      model.toolName = textAt(args, "tool_name") ?? model.toolName;
      model.input = readInput(args);
      if (model.state.status === "idle") model.state = { status: "running", canCancel: false };
      showPlainly(model);
      void learnTool(model);
    },
    onToolResult: (result) => take(model, result),
    onToolCancelled: (reason) => update(model, { status: "cancelled", message: reason }),
  };
}

/** Some hosts pass on arguments that a model wrote as text. */
function readInput(args: JsonObject): JsonObject {
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

/** Without the tool's form: all there is until the tool is known, and in hosts that let widgets call no tools. */
function showPlainly(model: Model): void {
  if (model.hasAskedForTool) return;
  const view = createRunView({}, toToolHost(model));
  const title = model.toolName ?? messages.untitled;
  const article = h("article", { class: "toolhost" }, h("h1", {}, title), view.element);
  model.place.replaceChildren(article, model.footer);
  model.show = (state) => view.show(state);
  model.show(model.state);
}

/** Gets the tool's schemas, and shows its form. What fails here leaves the result as it is. */
async function learnTool(model: Model): Promise<void> {
  const { host, toolName } = model;
  if (host?.callTool === undefined || toolName === undefined || model.hasAskedForTool) return;
  model.hasAskedForTool = true;
  const tool = await host.callTool("service_get_skill", { tool_names: [toolName] }).then(
    (answer) => {
      const { state } = readResult(answer);
      const found = answer.structuredContent ?? (state.status === "completed" ? state.output : {});
      const tools = own(found, "tools");
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
  model.place.replaceChildren(view.element, model.footer);
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

function take(model: Model, result: ToolResult): void {
  const { state, toolName, toolUrl, pollAfterMs } = readResult(result);
  model.toolName ??= toolName;
  model.toolUrl = toolUrl ?? model.toolUrl;
  update(model, state.status === "running" ? { ...state, canCancel: false } : state);
  if (!model.hasAskedForTool) showPlainly(model);
  void learnTool(model);
  if (state.status === "running") follow(model, pollAfterMs);
}

/** Runs the tool again, for the person. */
async function run(model: Model, input: JsonObject): Promise<void> {
  const { host, toolName } = model;
  if (host?.callTool === undefined || toolName === undefined) return;
  model.round += 1;
  const mine = model.round;
  model.call = new AbortController();
  model.input = input;
  model.footer.replaceChildren();
  update(model, { status: "running", canCancel: true });
  const { signal } = model.call;
  const args = { tool_name: toolName, arguments: input };
  try {
    const answer = await host.callTool("service_execute_tool", args, signal);
    if (mine === model.round) take(model, answer);
  } catch (error) {
    if (mine !== model.round) return;
    if (signal.aborted) update(model, { status: "cancelled" });
    else update(model, { status: "refused", message: error instanceof Error ? error.message : "" });
  }
  if (mine === model.round) tellEnd(model);
}

/** Looks at a run that goes on until it ends. */
function follow(model: Model, firstMs: number): void {
  const { host, state } = model;
  if (host === undefined || state.status !== "running" || state.runId === undefined) return;
  const { runId } = state;
  if (host.callTool === undefined) {
    return update(model, { ...state, note: messages.cannotPoll(runId) });
  }
  model.round += 1;
  const mine = model.round;
  void followRun(host.callTool, { runId, firstMs }, (result) => {
    if (mine !== model.round) return false;
    const read = readResult(result);
    const isOver = read.state.status !== "running";
    update(model, isOver ? read.state : ({ ...read.state, canCancel: false } as RunState));
    if (isOver) tellEnd(model);
    return !isOver;
  }).catch((error: unknown) => {
    if (mine !== model.round) return;
    const reason = error instanceof Error ? error.message : "";
    update(model, { status: "refused", message: messages.lostRun(runId, reason) });
  });
}

/** The model did not see a run that a person began here, so it is told, and the person may bring it into the chat. */
function tellEnd({ host, state, call, toolName = "", input, footer }: Model): void {
  if (host === undefined || call === undefined || state.status === "running") return;
  const result =
    state.status === "completed"
      ? messages.modelOutput(JSON.stringify(state.output).slice(0, 8_000))
      : messages.modelStatus(state.status);
  const text = messages.modelRun(toolName, JSON.stringify(input).slice(0, 4_000), result);
  host.tellModel?.(text);
  const { say } = host;
  if (say === undefined || state.status !== "completed") return;
  footer.replaceChildren(button(messages.useResult, () => say(text)));
}
