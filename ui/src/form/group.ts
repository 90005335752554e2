import { h, newElementId, present } from "../dom.ts";
import type { Problem } from "@toolhost/tool-schema";
import { labelParts, showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";

/** Several fields under one name. */
export type Group = {
  element: HTMLElement;
  /** Where the fields go. */
  body: HTMLElement;
  problem: HTMLElement;
};

/** Makes the frame around several fields. */
export function makeGroup({ label, isRequired, plan, depth }: FieldSpec): Group {
  const id = newElementId();
  const { description } = plan.schema;
  const hint =
    typeof description === "string"
      ? h("p", { class: "hint", id: `${id}-hint` }, description)
      : undefined;
  const problem = h("p", { class: "problem", id: `${id}-problem`, hidden: true, tabindex: -1 });
  const body = h("div", { class: "fields" });
  // The form itself needs no frame within the frame that it is.
  const isOutermost = depth === 0;
  const element = h(
    isOutermost ? "div" : "fieldset",
    {
      class: isOutermost ? "group outermost" : "group",
      "aria-describedby": isOutermost
        ? undefined
        : [hint?.id, problem.id].filter((one) => one !== undefined).join(" "),
    },
    ...present([
      isOutermost ? undefined : h("legend", {}, ...labelParts(label, isRequired)),
      isOutermost ? undefined : hint,
      problem,
      body,
    ]),
  );
  return { element, body, problem };
}

/**
 * Shows problems at the parts whose step they begin with, and those of no part at the group itself. Gives the
 * first control that has one.
 */
export function showInParts(
  { problem }: Pick<Group, "problem">,
  parts: readonly (readonly [string, Field])[],
  problems: readonly Problem[],
): HTMLElement | undefined {
  let first: HTMLElement | undefined;
  const known = new Set(parts.map(([step]) => step));
  for (const [step, field] of parts) {
    const its = problems
      .filter(({ path }) => path[0] === step)
      .map(({ path, message }) => ({ path: path.slice(1), message }));
    const control = field.showProblems(its);
    first ??= control;
  }
  const own = problems.filter(({ path: [step] }) => step === undefined || !known.has(step));
  showMessages(problem, own);
  return first ?? (own.length > 0 ? problem : undefined);
}

/** What the parts know to be wrong, each under its step. */
export function problemsOfParts(parts: readonly (readonly [string, Field])[]): Problem[] {
  return parts.flatMap(([step, field]) =>
    field.findProblems().map(({ path, message }) => ({ path: [step, ...path], message })),
  );
}
