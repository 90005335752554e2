import { h } from "../dom.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { checkValue, fromPointers } from "@toolhost/tool-schema";
import type { PointedProblem, Problem } from "@toolhost/tool-schema";
import type { Field, FormContext, FormHost } from "./field.ts";
import { makeField } from "./make-field.ts";
import { formMessages } from "./messages.ts";

/** The fields of a tool's input. */
export type Form = {
  element: HTMLElement;
  /** The input; undefined when something is wrong, which is then shown, with the focus on the first of it. */
  submit(): JsonObject | undefined;
  /** What is filled in now, right or not. */
  read(): JsonObject;
  /** Shows at their fields what a server found wrong. */
  showProblems(problems: readonly PointedProblem[]): void;
};

type FormOptions = {
  inputSchema: JsonObject;
  /** Names of input fields that take files. */
  fileFields: readonly string[];
  /** What the fields hold at first. */
  input: JsonObject;
  host: FormHost;
};

/** Makes the fields for an input schema. Whatever the schema says, no code and no markup comes out of it. */
export function createForm({ inputSchema, fileFields, input, host }: FormOptions): Form {
  const context: FormContext = {
    root: inputSchema,
    host,
    fileFields: new Set(fileFields),
    fields: 0,
    make: (part) => makeField(context, part),
  };
  const field = makeOutermost(context, inputSchema, input);
  const isEmpty = field.element.querySelector("input, select, textarea, button, output") === null;
  const nothing = isEmpty ? h("p", { class: "muted" }, formMessages.noInput) : undefined;
  const summary = h("p", { class: "problem summary", role: "alert", hidden: true });
  const show = (problems: readonly Problem[]) => {
    const first = field.showProblems(problems);
    summary.hidden = problems.length === 0;
    summary.textContent = problems.length === 0 ? "" : formMessages.summary(problems.length);
    first?.focus();
  };
  const read = () => {
    const value = field.read();
    return isObject(value) ? value : {};
  };
  return {
    element: h("div", { class: "form" }, summary, nothing, field.element),
    read,
    submit: () => {
      const own = field.findProblems();
      const value = read();
      const problems = [...own, ...beside(own, checkValue(inputSchema, inputSchema, value))];
      show(problems);
      return problems.length === 0 ? value : undefined;
    },
    showProblems: (problems) => show(fromPointers(problems)),
  };
}

function makeOutermost(context: FormContext, schema: JsonObject, input: JsonObject): Field {
  return context.make({
    schema,
    label: formMessages.input,
    isRequired: true,
    initial: input,
    isFile: false,
    depth: 0,
  });
}

/** What a field has said itself, such as that it is no JSON, need not be said again as missing. */
function beside(said: readonly Problem[], problems: readonly Problem[]): Problem[] {
  const places = new Set(said.map(({ path }) => path.join("/")));
  return problems.filter(({ path }) => !places.has(path.join("/")));
}
