import { button, compact, h } from "./dom.ts";
import { createForm } from "./form/create-form.ts";
import type { FormHost } from "./form/field.ts";
import { isSubmitKey } from "./form/submit-key.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import * as messages from "./run/messages.ts";
import { createRunView } from "./run/run-view.ts";
import type { RunHost } from "./run/run-host.ts";
import type { RunState } from "./run/run-state.ts";

/** A tool as shown to people. All of its texts are untrusted. */
export type ShownTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  fileFields: readonly string[];
};

/** What the host provides for a tool. */
export type ToolHost = FormHost &
  RunHost & {
    /** Runs the tool with an input that passed the form's checks. Without this function there is no form. */
    run?: ((input: JsonObject) => void) | undefined;
    /** Whether results come before the form, which is collapsed while there is a result. */
    areResultsFirst?: boolean;
    /** The heading level of the tool's title. */
    headingLevel?: 1 | 2 | 3;
  };

/** A tool with its form and its latest run. */
export type ToolView = {
  element: HTMLElement;
  /** The current input. */
  readInput(): JsonObject;
  /** Runs the tool like its button: not while it runs, and not with an invalid input. */
  submit(): void;
  /** Shows the state of a run. Errors that name fields are also shown at the fields. */
  show(state: RunState): void;
};

/**
 * Creates the view of a tool. It needs `styles` of this package on the page. React mounts it by appending `element` to a ref
 * in an effect, once for each tool version, and calls `show` for each new state.
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
    const validInput = form.submit();
    if (validInput !== undefined) run?.(validInput);
  };
  const runButton = button(messages.run, submit, { class: "primary" });
  const formElement = h("form", { novalidate: true, "aria-label": messages.formLabel(title) });
  formElement.append(form.element, h("div", { class: "actions" }, runButton));
  formElement.addEventListener("submit", (event) => event.preventDefault());
  formElement.addEventListener("keydown", (event) => {
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    submit();
  });
  const disclosure = h("details", { class: "folded", open: true });
  const show = (state: RunState) => {
    isBusy = state.status === "running";
    hasRun ||= state.status !== "idle";
    // `disabled` would remove the focus from the button.
    runButton.setAttribute("aria-disabled", String(isBusy));
    runButton.toggleAttribute("data-pending", isBusy);
    runButton.textContent = isBusy
      ? messages.runningButton
      : hasRun
        ? messages.runAgain
        : messages.run;
    runView.show(state);
    // Open the form before it shows problems, because collapsed fields cannot take the focus.
    disclosure.open = ["idle", "refused", "missing"].includes(state.status);
    if (state.status === "refused" && state.isAboutTool !== true)
      form.showProblems(state.errors ?? []);
  };
  const descriptionElement =
    description === "" ? undefined : h("p", { class: "lead" }, description.slice(0, 4_000));
  const arrange = () => {
    if (run === undefined) return [descriptionElement, runView.element];
    if (host.areResultsFirst !== true) return [descriptionElement, formElement, runView.element];
    disclosure.append(
      ...compact([h("summary", {}, messages.editInput), descriptionElement, formElement]),
    );
    return [runView.element, disclosure];
  };
  const heading = (["h1", "h2", "h3"] as const)[(host.headingLevel ?? 2) - 1] ?? "h2";
  const element = h(
    "article",
    { class: "toolhost" },
    h(heading, {}, title === "" ? name : title),
    ...arrange(),
  );
  return { element, readInput: () => form.read(), submit, show };
}

/** Reads a tool as REST and the broker tools describe it. Missing or invalid members get empty defaults. */
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
      ? fileFields.filter((field) => typeof field === "string")
      : [],
  };
}
