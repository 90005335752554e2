import { h } from "../dom.ts";
import { numberAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { emptyValue, makeFrame, makeSimpleField } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";

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
      control.validity.badInput ? [{ path: [], message: "Must be a number." }] : [],
  });
}

function boundsOf(schema: JsonObject): string | undefined {
  const [min, max] = [numberAt(schema, "minimum"), numberAt(schema, "maximum")];
  if (min !== undefined && max !== undefined) return `From ${min} to ${max}.`;
  const [above, below] = [
    numberAt(schema, "exclusiveMinimum"),
    numberAt(schema, "exclusiveMaximum"),
  ];
  const bounds = [
    min === undefined ? undefined : `At least ${min}.`,
    above === undefined ? undefined : `Above ${above}.`,
    max === undefined ? undefined : `At most ${max}.`,
    below === undefined ? undefined : `Below ${below}.`,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : bounds.join(" ");
}
