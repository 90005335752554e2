import { h, newElementId } from "../dom.ts";
import { isSame } from "@toolhost/tool-schema/json";
import type { Choice } from "@toolhost/tool-schema";
import { createChoice, createNotes, labelContent, showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";

/** Creates a field for any number of choices, each at most once: a checkbox for each. */
export function createMultiselectField(spec: FieldSpec, choices: readonly Choice[]): Field {
  const { label, isRequired, plan, initial } = spec;
  const selected = Array.isArray(initial) ? initial : [];
  const { description, problem, ids } = createNotes(newElementId(), plan);
  const boxes = choices.map(({ value }) =>
    h("input", {
      class: "ui-mark",
      type: "checkbox",
      checked: selected.some((item) => isSame(item, value)),
    }),
  );
  const group = h(
    "fieldset",
    { class: "ui-field", "aria-describedby": ids },
    h("legend", { class: "ui-label" }, ...labelContent(label, isRequired)),
    ...boxes.map((box, index) => createChoice(box, choices[index]?.label ?? "")),
    description,
    problem,
  );
  return {
    element: group,
    read: () => {
      const checked = choices.filter((_, index) => boxes[index]?.checked);
      const isLeftOut = checked.length === 0 && !isRequired && !Array.isArray(initial);
      return isLeftOut ? undefined : checked.map(({ value }) => value);
    },
    findProblems: () => [],
    showProblems: (problems) => {
      showMessages(problem, problems);
      return problems.length === 0 ? undefined : boxes[0];
    },
  };
}
