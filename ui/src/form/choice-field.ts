import { h, newElementId } from "../dom.ts";
import { isSame, toText } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import type { Choice } from "@toolhost/tool-schema";
import {
  createChoice,
  createControlField,
  createFrame,
  createNotes,
  emptyValue,
  labelContent,
  showMessages,
} from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import * as messages from "./messages.ts";

const maxRadios = 3;

/** Creates a field for one of several values: radio buttons for a short required choice, otherwise a select. */
export function createChoiceField(spec: FieldSpec, choices: readonly Choice[]): Field {
  const { plan, isRequired, initial } = spec;
  const selected = choices.findIndex(
    ({ value }) => initial !== undefined && isSame(value, initial),
  );
  if (isRequired && !plan.isNullable && choices.length <= maxRadios) {
    return createRadios(spec, choices, selected);
  }
  const frame = createFrame(spec);
  const control = h("select", { ...frame.control, class: "ui-input" });
  const emptyLabel = isRequired && !plan.isNullable ? messages.choose : messages.notSet;
  control.append(h("option", { value: "" }, emptyLabel));
  for (const [index, { label }] of choices.entries()) {
    control.append(h("option", { value: index }, label));
  }
  control.value = selected === -1 ? "" : String(selected);
  return createControlField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : choices[Number(control.value)]?.value),
    around: h("span", { class: "ui-select" }, control),
  });
}

function createRadios(spec: FieldSpec, choices: readonly Choice[], selected: number): Field {
  const { label, isRequired, plan } = spec;
  const id = newElementId();
  const { description, problem, ids } = createNotes(id, plan);
  const radios = choices.map((_, index) =>
    h("input", {
      class: "ui-mark",
      type: "radio",
      name: id,
      value: index,
      checked: index === selected,
    }),
  );
  const group = h(
    "fieldset",
    { class: "ui-field", role: "radiogroup", "aria-describedby": ids },
    h("legend", { class: "ui-label" }, ...labelContent(label, isRequired)),
    ...radios.map((radio, index) => createChoice(radio, choices[index]?.label ?? "")),
    description,
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

/** Creates a field for a boolean: a checkbox, or a select if the value may be left out. */
export function createBooleanField(spec: FieldSpec): Field {
  const { plan, isRequired, initial } = spec;
  if (plan.isNullable || (!isRequired && typeof initial !== "boolean")) {
    const choices = [
      { label: messages.yes, value: true },
      { label: messages.no, value: false },
    ];
    return createChoiceField(spec, choices);
  }
  const frame = createFrame(spec);
  const control = h("input", {
    ...frame.control,
    class: "ui-mark",
    type: "checkbox",
    checked: initial === true,
  });
  frame.label.className = "ui-choice";
  frame.label.prepend(control);
  const field = createControlField(frame, control, {
    read: () => control.checked,
    around: frame.label,
  });
  field.element.classList.add("check");
  return field;
}

/** Creates a field for a constant. */
export function createConstField(spec: FieldSpec, value: Json): Field {
  const label = typeof value === "string" ? value : toText(value, 0);
  if (!spec.isRequired) return createChoiceField(spec, [{ label, value }]);
  const frame = createFrame(spec);
  const control = h("output", { ...frame.control, "aria-required": undefined }, label);
  return createControlField(frame, control, { read: () => value });
}
