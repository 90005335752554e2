import { h } from "../dom.ts";
import { numberAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { emptyValue, makeFrame, makeSimpleField } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import { numberMessages } from "./messages.ts";

/** A number, whole or not. */
export function makeNumberField(spec: FieldSpec, isWhole: boolean): Field {
  const { plan, initial } = spec;
  const frame = makeFrame(spec, boundsOf(plan.schema));
  const control = h("input", {
    ...frame.control,
    type: "number",
    inputmode: isWhole ? "numeric" : "decimal",
    step: isWhole ? 1 : "any",
    min: numberAt(plan.schema, "minimum"),
    max: numberAt(plan.schema, "maximum"),
    autocomplete: "off",
  });
  control.value = typeof initial === "number" ? String(initial) : "";
  return makeSimpleField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : Number(control.value)),
    // A browser gives nothing at all for what is no number.
    findProblems: () =>
      control.validity.badInput ? [{ path: [], message: numberMessages.invalid }] : [],
  });
}

function boundsOf(schema: JsonObject): string | undefined {
  const [min, max] = [numberAt(schema, "minimum"), numberAt(schema, "maximum")];
  if (min !== undefined && max !== undefined) return numberMessages.range(min, max);
  const [above, below] = [
    numberAt(schema, "exclusiveMinimum"),
    numberAt(schema, "exclusiveMaximum"),
  ];
  const bounds = [
    min === undefined ? undefined : numberMessages.min(min),
    above === undefined ? undefined : numberMessages.above(above),
    max === undefined ? undefined : numberMessages.max(max),
    below === undefined ? undefined : numberMessages.below(below),
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : bounds.join(" ");
}
