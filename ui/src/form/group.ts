import { h, newElementId } from "../dom.ts";
import type { Problem } from "@toolhost/tool-schema";
import { createNotes, labelContent, showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";

/** Several fields with one label. */
export type Group = {
  element: HTMLElement;
  /** Contains the fields. */
  body: HTMLElement;
  problem: HTMLElement;
};

/** Creates the element around several fields. */
export function createGroup({ label, isRequired, plan, depth }: FieldSpec): Group {
  const { description, problem, ids } = createNotes(newElementId(), plan);
  problem.tabIndex = -1;
  const body = h("div", { class: "fields" });
  // The root object is the form itself, so it needs no fieldset.
  const isRoot = depth === 0;
  const element = h(
    isRoot ? "div" : "fieldset",
    { class: "group", "aria-describedby": isRoot ? undefined : ids },
    isRoot ? undefined : h("legend", { class: "ui-label" }, ...labelContent(label, isRequired)),
    isRoot ? undefined : description,
    problem,
    body,
  );
  return { element, body, problem };
}

/**
 * Shows problems at the parts that their paths start with, and the others at the group itself. Returns the first control
 * with a problem.
 */
export function showProblemsInParts(
  { problem }: Pick<Group, "problem">,
  parts: readonly (readonly [string, Field])[],
  problems: readonly Problem[],
): HTMLElement | undefined {
  let first: HTMLElement | undefined;
  const steps = new Set(parts.map(([step]) => step));
  for (const [step, field] of parts) {
    const inner = problems
      .filter(({ path }) => path[0] === step)
      .map(({ path, message }) => ({ path: path.slice(1), message }));
    const control = field.showProblems(inner);
    first ??= control;
  }
  const own = problems.filter(({ path: [step] }) => step === undefined || !steps.has(step));
  showMessages(problem, own);
  return first ?? (own.length > 0 ? problem : undefined);
}

/** The problems that the parts report, with paths that start at the group. */
export function findProblemsInParts(parts: readonly (readonly [string, Field])[]): Problem[] {
  return parts.flatMap(([step, field]) =>
    field.findProblems().map(({ path, message }) => ({ path: [step, ...path], message })),
  );
}
