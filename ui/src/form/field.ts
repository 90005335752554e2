import { h, newElementId, present } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { FieldPlan, Problem } from "@toolhost/tool-schema";

/** A file that the host has taken, for a tool's file field. */
export type UploadedFile = { fileId: string; fileName: string; size?: number };

/** What a form needs of where it stands. */
export type FormHost = {
  /**
   * Sends a file and gives its id; where it knows, it tells how much is on its way, from 0 to 1. Without it files are named by
   * their id.
   */
  upload?: ((file: File, onSent: (fraction: number) => void) => Promise<UploadedFile>) | undefined;
};

/** One part of a form: a control, or several under one name. */
export type Field = {
  element: HTMLElement;
  /** What was filled in; undefined when it is left out. */
  read(): Json | undefined;
  /** What the field itself knows to be wrong, before anything is checked. */
  findProblems(): Problem[];
  /** Shows these problems in place of those before; gives the control where the first one is. */
  showProblems(problems: readonly Problem[]): HTMLElement | undefined;
};

/** What a field is made of. */
export type FieldSpec = {
  plan: FieldPlan;
  /** What people call it. */
  label: string;
  isRequired: boolean;
  /** What it holds at first; undefined when nothing is known. */
  initial: Json | undefined;
  /** Whether it holds the id of a file. */
  isFile: boolean;
  /** How many fields it is within. */
  depth: number;
  form: FormContext;
};

/** The same for all fields of a form. */
export type FormContext = {
  root: JsonObject;
  host: FormHost;
  /** Names of the outermost object's fields that take files. */
  fileFields: ReadonlySet<string>;
  /** How many fields there are by now. */
  fields: number;
  /** Makes the field for a schema; in here so that fields may hold fields of every kind. */
  make(part: FieldPart): Field;
};

export type FieldPart = {
  schema: Json | undefined;
  label: string;
  isRequired: boolean;
  initial: Json | undefined;
  isFile: boolean;
  depth: number;
};

/** What an empty control means: as it was given, nothing where that is needed, or left out. */
export function emptyValue({ plan, isRequired, initial }: FieldSpec): Json | undefined {
  if (initial === null || initial === "") return initial;
  return isRequired && plan.isNullable ? null : undefined;
}

/** The words beside a control: its name, what it is for, and what is wrong. */
type Frame = {
  /** The attributes by which a control belongs to them. */
  control: { id: string; "aria-describedby": string | undefined; "aria-required": boolean };
  label: HTMLLabelElement;
  description: HTMLElement | undefined;
  problem: HTMLElement;
};

/** Authors seldom end a description with a full stop; before another sentence it needs one. */
function endSentence(words: string, next: string | undefined): string {
  return next === undefined || words === "" || /[.!?:;)]$/.test(words) ? words : `${words}.`;
}

/** Makes the words beside a control. */
export function makeFrame({ label, plan, isRequired }: FieldSpec, hint?: string): Frame {
  const id = newElementId();
  const described =
    typeof plan.schema["description"] === "string" ? plan.schema["description"] : "";
  const words = [endSentence(described, hint), hint ?? ""].filter((text) => text !== "").join(" ");
  const description = words === "" ? undefined : h("p", { class: "hint", id: `${id}-hint` }, words);
  const problem = h("p", { class: "problem", id: `${id}-problem`, hidden: true });
  const ids = [description?.id, problem.id].filter((one) => one !== undefined).join(" ");
  return {
    control: { id, "aria-describedby": ids, "aria-required": isRequired },
    label: h("label", { for: id }, ...labelParts(label, isRequired)),
    description,
    problem,
  };
}

/** The name, with a mark where something has to be filled in. */
export function labelParts(label: string, isRequired: boolean): Child[] {
  return isRequired
    ? [label, h("span", { class: "needed", "aria-hidden": "true" }, " *")]
    : [label];
}

/** A field of one control. */
export function makeSimpleField(
  frame: Frame,
  control: HTMLElement,
  { read, findProblems = () => [] }: Pick<Field, "read"> & Partial<Pick<Field, "findProblems">>,
): Field {
  const { label, description, problem } = frame;
  return {
    element: h("div", { class: "field" }, ...present([label, description, control, problem])),
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

/** Writes messages where they belong; hides the place when there are none. */
export function showMessages(place: HTMLElement, problems: readonly Problem[]): void {
  const messages = problems.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(" › ")}: ${message}`,
  );
  place.textContent = messages.slice(0, 20).join(" ");
  place.hidden = messages.length === 0;
}
