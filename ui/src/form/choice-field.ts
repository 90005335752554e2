import { h, newElementId, present } from "../dom.ts";
import { isSame, toText } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import type { Choice } from "@toolhost/tool-schema";
import { emptyValue, labelParts, makeFrame, makeSimpleField, showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import { choiceMessages } from "./messages.ts";

const maxRadios = 3;

/** One of several values: as radio buttons where there are few and one is needed, else as a list to open. */
export function makeChoiceField(spec: FieldSpec, choices: readonly Choice[]): Field {
  const { plan, isRequired, initial } = spec;
  const selected = choices.findIndex(
    ({ value }) => initial !== undefined && isSame(value, initial),
  );
  if (isRequired && !plan.isNullable && choices.length <= maxRadios) {
    return makeRadios(spec, choices, selected);
  }
  const frame = makeFrame(spec);
  const control = h("select", frame.control);
  const nothing = isRequired && !plan.isNullable ? choiceMessages.choose : choiceMessages.unset;
  control.append(h("option", { value: "" }, nothing));
  for (const [index, { label }] of choices.entries()) {
    control.append(h("option", { value: index }, label));
  }
  control.value = selected === -1 ? "" : String(selected);
  return makeSimpleField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : choices[Number(control.value)]?.value),
  });
}

function makeRadios(spec: FieldSpec, choices: readonly Choice[], selected: number): Field {
  const { label, isRequired, plan } = spec;
  const { description: words } = plan.schema;
  const id = newElementId();
  const problem = h("p", { class: "problem", id: `${id}-problem`, hidden: true });
  const hint =
    typeof words === "string" ? h("p", { class: "hint", id: `${id}-hint` }, words) : undefined;
  const radios = choices.map((_, index) =>
    h("input", { type: "radio", name: id, value: index, checked: index === selected }),
  );
  const group = h(
    "fieldset",
    {
      class: "field choices",
      role: "radiogroup",
      "aria-describedby": [hint?.id, problem.id].filter(Boolean).join(" "),
    },
    h("legend", {}, ...labelParts(label, isRequired)),
    ...present([hint]),
    ...radios.map((radio, index) => h("label", {}, radio, ` ${choices[index]?.label ?? ""}`)),
    problem,
  );
  return {
    element: group,
    read: () => choices[radios.findIndex(({ checked }) => checked)]?.value,
    findProblems: () => [],
    showProblems: (problems) => {
      showMessages(problem, problems);
      group.removeAttribute("aria-invalid");
      if (problems.length === 0) return undefined;
      group.setAttribute("aria-invalid", "true");
      return radios.find(({ checked }) => checked) ?? radios[0];
    },
  };
}

/** Yes or no; a list with a third entry where it may be left open. */
export function makeBooleanField(spec: FieldSpec): Field {
  const { plan, isRequired, initial } = spec;
  if (plan.isNullable || (!isRequired && typeof initial !== "boolean")) {
    const choices = [
      { label: choiceMessages.yes, value: true },
      { label: choiceMessages.no, value: false },
    ];
    return makeChoiceField(spec, choices);
  }
  const frame = makeFrame(spec);
  const control = h("input", { ...frame.control, type: "checkbox", checked: initial === true });
  const field = makeSimpleField(frame, control, { read: () => control.checked });
  field.element.classList.add("check");
  return field;
}

/** A value that cannot be another. */
export function makeConstField(spec: FieldSpec, value: Json): Field {
  const label = typeof value === "string" ? value : toText(value, 0);
  if (!spec.isRequired) return makeChoiceField(spec, [{ label, value }]);
  const frame = makeFrame(spec);
  const control = h("output", { ...frame.control, "aria-required": undefined }, label);
  return makeSimpleField(frame, control, { read: () => value });
}
