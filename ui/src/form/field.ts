import { h, newElementId } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { FieldPlan, Problem } from "@toolhost/tool-schema";

/** A file that was uploaded for a file field. */
export type UploadedFile = { fileId: string; fileName: string; size?: number };

/** What the host provides for forms. */
export type FormHost = {
  /**
   * Uploads a file. Where progress is known, it is reported as a fraction from 0 to 1. Without this function, the user
   * enters file IDs.
   */
  upload?:
    | ((file: File, onProgress: (fraction: number) => void) => Promise<UploadedFile>)
    | undefined;
};

/** One part of a form: a control, or a group of controls with one label. */
export type Field = {
  element: HTMLElement;
  /** The value; undefined if it is left out. */
  read(): Json | undefined;
  /** Problems that only the control knows, such as text that is not a number. */
  findProblems(): Problem[];
  /** Replaces the problems shown. Returns the control with the first one. */
  showProblems(problems: readonly Problem[]): HTMLElement | undefined;
};

/** The parameters of a field. */
export type FieldSpec = {
  plan: FieldPlan;
  label: string;
  isRequired: boolean;
  /** The initial value, if any. */
  initial: Json | undefined;
  /** Whether the value is a file ID. */
  isFile: boolean;
  /** How many fields enclose it. */
  depth: number;
  form: FormContext;
};

/** What all fields of a form share. */
export type FormContext = {
  root: JsonObject;
  host: FormHost;
  /** Names of the root object's members that are file IDs. */
  fileFields: ReadonlySet<string>;
  /** How many fields have been created. */
  fieldCount: number;
  /** Creates a nested field. A member of the context, because fields of every kind can contain any other. */
  createField(part: FieldPart): Field;
};

export type FieldPart = {
  schema: Json | undefined;
  label: string;
  isRequired: boolean;
  initial: Json | undefined;
  isFile: boolean;
  depth: number;
};

/** The value of an empty control: the initial empty value, null where a value is required, or none. */
export function emptyValue({ plan, isRequired, initial }: FieldSpec): Json | undefined {
  if (initial === null || initial === "") return initial;
  return isRequired && plan.isNullable ? null : undefined;
}

/** The texts beside a control: its label, description and problems. */
type Frame = {
  /** Attributes that associate the control with the texts. */
  control: { id: string; "aria-describedby": string; "aria-required": boolean };
  label: HTMLLabelElement;
  description: HTMLElement | undefined;
  problem: HTMLElement;
};

/** The description and the problems of a field. */
export type Notes = {
  description: HTMLElement | undefined;
  problem: HTMLElement;
  /** IDs of both, for `aria-describedby`. */
  ids: string;
};

/** Creates the description and the place for problems of the field with this ID. */
export function createNotes(id: string, { schema }: FieldPlan, hint = ""): Notes {
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  const text = `${endSentence(description, hint)} ${hint}`.trim();
  const problem = h("p", { class: "ui-error", id: `${id}-problem`, hidden: true });
  if (text === "") return { description: undefined, problem, ids: problem.id };
  const element = h("p", { class: "ui-help", id: `${id}-hint` }, text);
  return { description: element, problem, ids: `${element.id} ${problem.id}` };
}

/** Adds the full stop that a description usually lacks, if another sentence follows. */
function endSentence(text: string, next: string): string {
  return next === "" || text === "" || /[.!?:;)]$/.test(text) ? text : `${text}.`;
}

/** Creates the texts beside a control. */
export function createFrame({ label, plan, isRequired }: FieldSpec, hint?: string): Frame {
  const id = newElementId();
  const { description, problem, ids } = createNotes(id, plan, hint);
  return {
    control: { id, "aria-describedby": ids, "aria-required": isRequired },
    label: h("label", { class: "ui-label", for: id }, ...labelContent(label, isRequired)),
    description,
    problem,
  };
}

/** The label, with an asterisk for required fields. */
export function labelContent(label: string, isRequired: boolean): Child[] {
  return isRequired
    ? [label, h("span", { class: "ui-required", "aria-hidden": "true" }, " *")]
    : [label];
}

/** Creates the label of a checkbox or radio button, which contains it. */
export function createChoice(control: HTMLElement, label: string): HTMLLabelElement {
  return h("label", { class: "ui-choice" }, control, h("span", {}, label));
}

type ControlOptions = Pick<Field, "read"> &
  Partial<Pick<Field, "findProblems">> & {
    /** An element that contains the control. */
    around?: HTMLElement;
  };

/** Creates a field with a single control. */
export function createControlField(
  frame: Frame,
  control: HTMLElement,
  { read, findProblems = () => [], around = control }: ControlOptions,
): Field {
  const { label, description, problem } = frame;
  return {
    element: h("div", { class: "ui-field" }, label, around, description, problem),
    read,
    findProblems,
    showProblems: (problems) => {
      showMessages(problem, problems);
      control.removeAttribute("aria-invalid");
      if (problems.length === 0) return undefined;
      control.setAttribute("aria-invalid", "true");
      return control;
    },
  };
}

/** Shows messages in an element, or hides it if there are none. */
export function showMessages(element: HTMLElement, problems: readonly Problem[]): void {
  const messages = problems.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(" › ")}: ${message}`,
  );
  element.textContent = messages.slice(0, 20).join(" ");
  element.hidden = messages.length === 0;
}
