import { button, h } from "../dom.ts";
import { fromEntries, isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { fieldLabel } from "@toolhost/tool-schema";
import type { Field, FieldSpec } from "./field.ts";
import { createGroup, findProblemsInParts, showProblemsInParts } from "./group.ts";
import { createAdditionalFields } from "./additional-fields.ts";
import * as messages from "./messages.ts";

type ObjectPlan = { names: readonly string[]; additional: Json | undefined };

/** Creates a field for an object: a field for each property, and fields that the user adds if the schema allows them. */
export function createObjectField(spec: FieldSpec, objectPlan: ObjectPlan): Field {
  const { isRequired, initial, depth } = spec;
  // An optional object starts closed, so that its required members are not required yet and a schema can contain itself.
  if (isRequired || depth === 0) return createMembers(spec, objectPlan);
  return createOptionalField(spec, isObject(initial), () => createMembers(spec, objectPlan));
}

function createMembers(spec: FieldSpec, { names, additional }: ObjectPlan): Field {
  const { plan, initial, depth, form } = spec;
  const group = createGroup(spec);
  const initialMembers = isObject(initial) ? initial : {};
  const properties = own(plan.schema, "properties");
  const required = own(plan.schema, "required");
  const parts = names.map((name) => {
    const schema = isObject(properties) ? own(properties, name) : undefined;
    const field = form.createField({
      schema,
      // The title of a referenced schema describes the definition, not this field.
      label: fieldLabel(name, schema),
      isRequired: Array.isArray(required) && required.includes(name),
      initial: own(initialMembers, name),
      isFile: depth === 0 && form.fileFields.has(name),
      depth: depth + 1,
    });
    return [name, field] as const;
  });
  group.body.append(...parts.map(([, { element }]) => element));
  const extra = createAdditionalFields(spec, {
    additional,
    initial: without(initialMembers, names),
    names,
  });
  if (extra !== undefined) group.body.append(extra.element);
  const all = () => [...parts, ...(extra?.parts() ?? [])];
  return {
    element: group.element,
    read: () => fromEntries(readParts(all())),
    findProblems: () => [...findProblemsInParts(all()), ...(extra?.findProblems() ?? [])],
    showProblems: (problems) => showProblemsInParts(group, all(), problems),
  };
}

function* readParts(parts: readonly (readonly [string, Field])[]): Generator<[string, Json]> {
  for (const [name, field] of parts) {
    const value = field.read();
    if (value !== undefined) yield [name, value];
  }
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  const excluded = new Set(names);
  return fromEntries(Object.entries(object).filter(([name]) => !excluded.has(name)));
}

/** Creates a field that can be added and removed. */
function createOptionalField(spec: FieldSpec, isOpen: boolean, create: () => Field): Field {
  const { label, plan } = spec;
  const container = h("div", { class: "optional" });
  let field: Field | undefined;
  const add = () => {
    field = create();
    container.replaceChildren(field.element, removeButton);
    field.element.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  };
  const remove = () => {
    field = undefined;
    container.replaceChildren(addButton);
    addButton.focus();
  };
  const addButton = button(messages.addOptional(label), add);
  const removeButton = button(messages.removeOptional(label), remove);
  if (isOpen) {
    field = create();
    container.append(field.element, removeButton);
  } else container.append(addButton);
  return {
    element: container,
    read: () => field?.read() ?? (plan.isNullable && spec.initial === null ? null : undefined),
    findProblems: () => field?.findProblems() ?? [],
    showProblems: (problems) => {
      if (field !== undefined) return field.showProblems(problems);
      if (problems.length === 0) return undefined;
      add();
      // A problem opened the field, so it exists now.
      return (field as Field | undefined)?.showProblems(problems);
    },
  };
}
