import { button, h, present } from "./dom.ts";
import { createForm } from "./form/create-form.ts";
import type { FormHost } from "./form/field.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { toolMessages } from "./run/messages.ts";
import { createRunView } from "./run/run-view.ts";
import type { RunHost } from "./run/run-view.ts";
import type { RunState } from "./run/run-state.ts";

/** What is shown of a tool. All of it may be somebody else's words. */
export type ShownTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  fileFields: readonly string[];
};

/** What the host does for whoever uses a tool. */
export type ToolHost = FormHost &
  RunHost & {
    /** Asked to run the tool with an input that the form found right. Without it there is no form. */
    run?: ((input: JsonObject) => void) | undefined;
    /** Whether results come before the form, which is folded away while there is one. */
    areResultsFirst?: boolean;
    /** The first level of heading that is free where the view stands. */
    headingLevel?: 1 | 2 | 3;
  };

/** A tool with its form, and its runs one after the other. */
export type ToolView = {
  element: HTMLElement;
  /** What is filled in now. */
  readInput(): JsonObject;
  /** Runs the tool as a press on its button does: not while it runs, and not with an input that is wrong. */
  submit(): void;
  /** Shows how far a run is. Errors that name fields are shown there, too. */
  show(state: RunState): void;
};

/**
 * Makes the view of a tool as elements to be put anywhere; `styles` of this package makes it look right. React mounts it
 * by appending `element` to a ref in an effect, once for each tool and version, and calls `show` for each new state.
 */
export function createToolView(tool: ShownTool, input: JsonObject, host: ToolHost): ToolView {
  const { inputSchema, fileFields, outputSchema, title, name, description } = tool;
  const form = createForm({ inputSchema, fileFields, input, host });
  const runView = createRunView(outputSchema, host);
  const { run } = host;
  let isBusy = false;
  let hasRun = false;
  const submit = () => {
    if (isBusy) return;
    const filled = form.submit();
    if (filled !== undefined) run?.(filled);
  };
  const runButton = button(toolMessages.run, submit, { class: "primary" });
  const formElement = h("form", { novalidate: true, "aria-label": toolMessages.form(title) });
  formElement.append(form.element, h("div", { class: "actions" }, runButton));
  formElement.addEventListener("submit", (event) => event.preventDefault());
  formElement.addEventListener("keydown", (event) => {
    if (!isEnterToSend(event)) return;
    event.preventDefault();
    submit();
  });
  const folded = h("details", { class: "folded", open: true });
  const show = (state: RunState) => {
    isBusy = state.status === "running";
    hasRun ||= state.status !== "idle";
    // Not `disabled`, which would take the focus away.
    runButton.setAttribute("aria-disabled", String(isBusy));
    runButton.textContent = isBusy
      ? toolMessages.running
      : hasRun
        ? toolMessages.runAgain
        : toolMessages.run;
    runView.show(state);
    // Opened first, as what is folded takes no focus.
    folded.open = ["idle", "refused", "missing"].includes(state.status);
    if (state.status === "refused" && state.isAboutTool !== true)
      form.showProblems(state.errors ?? []);
  };
  const words =
    description === "" ? undefined : h("p", { class: "hint" }, description.slice(0, 4_000));
  const arrange = () => {
    if (run === undefined) return [words, runView.element];
    if (host.areResultsFirst !== true) return [words, formElement, runView.element];
    folded.append(h("summary", {}, toolMessages.edit), ...present([words]), formElement);
    return [runView.element, folded];
  };
  const heading = (["h1", "h2", "h3"] as const)[(host.headingLevel ?? 2) - 1] ?? "h2";
  const element = h(
    "article",
    { class: "toolhost" },
    h(heading, {}, title === "" ? name : title),
    ...present(arrange()),
  );
  return { element, readInput: () => form.read(), submit, show };
}

/** Enter in a field of one line, or with Ctrl or Command anywhere. */
function isEnterToSend(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey) return true;
  const { target } = event;
  return target instanceof HTMLInputElement && !["file", "checkbox", "radio"].includes(target.type);
}

/** Reads a tool as REST and the broker tools describe it; what is missing or of the wrong kind is left empty. */
export function readTool(value: Json | undefined): ShownTool | undefined {
  if (!isObject(value) || typeof value["name"] !== "string") return undefined;
  const { name, title, description, inputSchema, outputSchema, fileFields } = value;
  return {
    name,
    title: typeof title === "string" ? title : name,
    description: typeof description === "string" ? description : "",
    inputSchema: isObject(inputSchema) ? inputSchema : { type: "object" },
    outputSchema: isObject(outputSchema) ? outputSchema : {},
    fileFields: Array.isArray(fileFields)
      ? fileFields.filter((one) => typeof one === "string")
      : [],
  };
}
