import { isObject, isSame, own } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import { planField } from "@toolhost/tool-schema";
import type { Choice, FieldPlan } from "@toolhost/tool-schema";
import { makeBooleanField, makeChoiceField, makeConstField } from "./choice-field.ts";
import type { Field, FieldPart, FieldSpec, FormContext } from "./field.ts";
import { makeFileField } from "./file-field.ts";
import { makeJsonField } from "./json-field.ts";
import { makeListField } from "./list-field.ts";
import { makeNumberField } from "./number-field.ts";
import { makeObjectField } from "./object-field.ts";
import { makeSetField } from "./set-field.ts";
import { makeTextField } from "./text-field.ts";
import { makeVariantField } from "./variant-field.ts";

const deepest = 8;
/** A schema that refers to itself may ask for any number of fields; what is beyond is written as JSON. */
const maxFields = 1_500;
const maxEntries = 200;

/** Makes the field for a part of a schema; what no control can show or hold is written as JSON. */
export function makeField(form: FormContext, part: FieldPart): Field {
  const plan = planField(form.root, part.schema);
  const initial = part.initial ?? (part.initial === null ? null : own(plan.schema, "default"));
  const spec: FieldSpec = { ...part, plan, initial, form };
  form.fields += 1;
  const isTooMuch = part.depth > deepest || form.fields > maxFields;
  if (isTooMuch || !canHold(plan, initial)) return makeJsonField(spec);
  if (plan.kind === "text")
    return part.isFile ? makeFileField(spec) : makeTextField(spec, plan.input);
  return makeOfKind(spec, plan);
}

function makeOfKind(spec: FieldSpec, plan: FieldPlan): Field {
  switch (plan.kind) {
    case "text":
      return makeTextField(spec, plan.input);
    case "number":
      return makeNumberField(spec, plan.isWhole);
    case "boolean":
      return makeBooleanField(spec);
    case "const":
      return makeConstField(spec, plan.value);
    case "choice":
      return makeChoiceField(spec, plan.choices);
    case "multiselect":
      return makeSetField(spec, plan.choices);
    case "list":
      return makeListField(spec, plan);
    case "object":
      return makeObjectField(spec, plan);
    case "variants":
      return makeVariantField(spec, plan.variants);
    case "json":
      break;
  }
  return makeJsonField(spec);
}

/** Whether a control of this kind can show the value that it begins with. */
function canHold(plan: FieldPlan, initial: Json | undefined): boolean {
  if (initial === undefined || (initial === null && plan.isNullable)) return true;
  switch (plan.kind) {
    case "text":
      return typeof initial === "string";
    case "number":
      return typeof initial === "number";
    case "boolean":
      return typeof initial === "boolean";
    case "const":
      return isSame(plan.value, initial);
    case "choice":
      return isChoice(plan.choices, initial);
    case "multiselect":
      return Array.isArray(initial) && initial.every((one) => isChoice(plan.choices, one));
    case "list":
      return Array.isArray(initial) && initial.length <= maxEntries;
    case "object":
      return isObject(initial) && Object.keys(initial).length <= maxEntries;
    case "variants":
    case "json":
      break;
  }
  return true;
}

function isChoice(choices: readonly Choice[], value: Json): boolean {
  return choices.some((choice) => isSame(choice.value, value));
}
