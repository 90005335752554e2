import { isObject, isSame, own } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import { planField } from "@toolhost/tool-schema";
import type { Choice, FieldPlan } from "@toolhost/tool-schema";
import { createBooleanField, createChoiceField, createConstField } from "./choice-field.ts";
import type { Field, FieldPart, FieldSpec, FormContext } from "./field.ts";
import { createFileField } from "./file-field.ts";
import { createJsonField } from "./json-field.ts";
import { createListField } from "./list-field.ts";
import { createNumberField } from "./number-field.ts";
import { createObjectField } from "./object-field.ts";
import { createMultiselectField } from "./multiselect-field.ts";
import { createTextField } from "./text-field.ts";
import { createVariantField } from "./variant-field.ts";

const maxDepth = 8;
/** Recursive schemas can need any number of fields. Beyond this limit, the user enters JSON. */
const maxFields = 1_500;
const maxItems = 200;

/** Creates the field for a part of a schema. Values that no control can represent are edited as JSON. */
export function createField(form: FormContext, part: FieldPart): Field {
  const plan = planField(form.root, part.schema);
  const initial = part.initial ?? (part.initial === null ? null : own(plan.schema, "default"));
  const spec: FieldSpec = { ...part, plan, initial, form };
  form.fieldCount += 1;
  const exceedsLimits = part.depth > maxDepth || form.fieldCount > maxFields;
  if (exceedsLimits || !canRepresent(plan, initial)) return createJsonField(spec);
  if (plan.kind === "text")
    return part.isFile ? createFileField(spec) : createTextField(spec, plan.input);
  return createFieldOfKind(spec, plan);
}

function createFieldOfKind(spec: FieldSpec, plan: FieldPlan): Field {
  switch (plan.kind) {
    case "text":
      return createTextField(spec, plan.input);
    case "number":
      return createNumberField(spec, plan.isWhole);
    case "boolean":
      return createBooleanField(spec);
    case "const":
      return createConstField(spec, plan.value);
    case "choice":
      return createChoiceField(spec, plan.choices);
    case "multiselect":
      return createMultiselectField(spec, plan.choices);
    case "list":
      return createListField(spec, plan);
    case "object":
      return createObjectField(spec, plan);
    case "variants":
      return createVariantField(spec, plan.variants);
    case "json":
      break;
  }
  return createJsonField(spec);
}

/** Whether a control of this kind can show the initial value. */
function canRepresent(plan: FieldPlan, initial: Json | undefined): boolean {
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
      return Array.isArray(initial) && initial.every((value) => isChoice(plan.choices, value));
    case "list":
      return Array.isArray(initial) && initial.length <= maxItems;
    case "object":
      return isObject(initial) && Object.keys(initial).length <= maxItems;
    case "variants":
    case "json":
      break;
  }
  return true;
}

function isChoice(choices: readonly Choice[], value: Json): boolean {
  return choices.some((choice) => isSame(choice.value, value));
}
