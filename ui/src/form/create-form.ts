import { h } from "../dom.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { checkValue, fromPointers } from "@toolhost/tool-schema";
import type { PointedProblem, Problem } from "@toolhost/tool-schema";
import type { Field, FormContext, FormHost } from "./field.ts";
import { createField } from "./create-field.ts";
import * as messages from "./messages.ts";

/** The form for a tool's input. */
export type Form = {
  element: HTMLElement;
  /** The input; undefined if it has problems, which are then shown, with the focus on the first. */
  submit(): JsonObject | undefined;
  /** The current input, valid or not. */
  read(): JsonObject;
  /** Shows problems that the server found at their fields. */
  showProblems(problems: readonly PointedProblem[]): void;
};

type FormOptions = {
  inputSchema: JsonObject;
  /** Names of members that are file IDs. */
  fileFields: readonly string[];
  /** The initial input. */
  input: JsonObject;
  host: FormHost;
};

/** Creates the form for an input schema. The schema is untrusted: its texts are never interpreted as code or HTML. */
export function createForm({ inputSchema, fileFields, input, host }: FormOptions): Form {
  const context: FormContext = {
    root: inputSchema,
    host,
    fileFields: new Set(fileFields),
    fieldCount: 0,
    createField: (part) => createField(context, part),
  };
  const field = createRootField(context, inputSchema, input);
  const isEmpty = field.element.querySelector("input, select, textarea, button, output") === null;
  const emptyText = isEmpty ? h("p", { class: "muted" }, messages.noInput) : undefined;
  const summary = h("p", { class: "ui-note bad", role: "alert", hidden: true });
  const show = (problems: readonly Problem[]) => {
    const first = field.showProblems(problems);
    summary.hidden = problems.length === 0;
    summary.textContent = problems.length === 0 ? "" : messages.problemSummary(problems.length);
    first?.focus();
  };
  const read = () => {
    const value = field.read();
    return isObject(value) ? value : {};
  };
  return {
    element: h("div", { class: "form" }, summary, emptyText, field.element),
    read,
    submit: () => {
      const reported = field.findProblems();
      const value = read();
      const problems = [
        ...reported,
        ...withoutReported(checkValue(inputSchema, inputSchema, value), reported),
      ];
      show(problems);
      return problems.length === 0 ? value : undefined;
    },
    showProblems: (problems) => show(fromPointers(problems)),
  };
}

function createRootField(context: FormContext, schema: JsonObject, input: JsonObject): Field {
  return context.createField({
    schema,
    label: messages.inputLabel,
    isRequired: true,
    initial: input,
    isFile: false,
    depth: 0,
  });
}

/** Removes problems of fields that already report one: a field with invalid JSON is not missing as well. */
function withoutReported(problems: readonly Problem[], reported: readonly Problem[]): Problem[] {
  const paths = new Set(reported.map(({ path }) => path.join("/")));
  return problems.filter(({ path }) => !paths.has(path.join("/")));
}
