import { h } from "../dom.ts";
import { numberAt, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createControlField, createFrame, emptyValue } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import * as messages from "./messages.ts";

/** Creates a field for a number. */
export function createNumberField(spec: FieldSpec, isWhole: boolean): Field {
  const { plan, initial } = spec;
  const frame = createFrame(spec, describeRange(plan.schema));
  const control = h("input", {
    ...frame.control,
    class: "ui-input",
    type: "number",
    inputmode: isWhole ? "numeric" : "decimal",
    step: isWhole ? 1 : "any",
    min: numberAt(plan.schema, "minimum"),
    max: numberAt(plan.schema, "maximum"),
    autocomplete: "off",
  });
  control.value = typeof initial === "number" ? String(initial) : "";
  const unit = textAt(plan.schema, "unit");
  return createControlField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : Number(control.value)),
    ...(unit === undefined ? {} : { around: withUnit(control, unit) }),
    // The value of a number input is empty while its text is not a number.
    findProblems: () =>
      control.validity.badInput ? [{ path: [], message: messages.invalidNumber }] : [],
  });
}

function withUnit(control: HTMLElement, unit: string): HTMLElement {
  return h("div", { class: "ui-affix" }, control, h("span", { class: "unit" }, unit.slice(0, 20)));
}

function describeRange(schema: JsonObject): string | undefined {
  const [min, max] = [numberAt(schema, "minimum"), numberAt(schema, "maximum")];
  if (min !== undefined && max !== undefined) return messages.between(min, max);
  const [above, below] = [
    numberAt(schema, "exclusiveMinimum"),
    numberAt(schema, "exclusiveMaximum"),
  ];
  const bounds = [
    min === undefined ? undefined : messages.atLeast(min),
    above === undefined ? undefined : messages.greaterThan(above),
    max === undefined ? undefined : messages.atMost(max),
    below === undefined ? undefined : messages.lessThan(below),
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : bounds.join(" ");
}
