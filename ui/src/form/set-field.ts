import { h, newElementId, present } from "../dom.ts";
import { isSame } from "@toolhost/tool-schema/json";
import type { Choice } from "@toolhost/tool-schema";
import { labelParts, showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";

/** Any of several values, each at most once and in no order of its own: a checkbox for each. */
export function makeSetField(spec: FieldSpec, choices: readonly Choice[]): Field {
  const { label, isRequired, plan, initial } = spec;
  const given = Array.isArray(initial) ? initial : [];
  const { description: words } = plan.schema;
  const id = newElementId();
  const problem = h("p", { class: "problem", id: `${id}-problem`, hidden: true });
  const hint =
    typeof words === "string" ? h("p", { class: "hint", id: `${id}-hint` }, words) : undefined;
  const boxes = choices.map(({ value }) =>
    h("input", { type: "checkbox", checked: given.some((one) => isSame(one, value)) }),
  );
  const described = [hint?.id, problem.id].filter((one) => one !== undefined).join(" ");
  const group = h(
    "fieldset",
    { class: "field choices", "aria-describedby": described },
    h("legend", {}, ...labelParts(label, isRequired)),
    ...present([hint]),
    ...boxes.map((box, index) => h("label", {}, box, ` ${choices[index]?.label ?? ""}`)),
    problem,
  );
  return {
    element: group,
    read: () => {
      const chosen = choices.filter((_, index) => boxes[index]?.checked);
      const isLeftOut = chosen.length === 0 && !isRequired && !Array.isArray(initial);
      return isLeftOut ? undefined : chosen.map(({ value }) => value);
    },
    findProblems: () => [],
    showProblems: (problems) => {
      showMessages(problem, problems);
      return problems.length === 0 ? undefined : boxes[0];
    },
  };
}
