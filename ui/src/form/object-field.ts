import { button, h } from "../dom.ts";
import { fromEntries, isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { Field, FieldSpec } from "./field.ts";
import { makeGroup, problemsOfParts, showInParts } from "./group.ts";
import { makeMap } from "./map-part.ts";
import { optionalMessages } from "./messages.ts";

type ObjectPlan = { names: readonly string[]; additional: Json | undefined };

/** Named fields, and where a schema allows more of them those that somebody adds. */
export function makeObjectField(spec: FieldSpec, objectPlan: ObjectPlan): Field {
  const { isRequired, initial, depth } = spec;
  // What nobody asked for begins closed: so its own needed fields are not needed, and a schema may contain itself.
  if (isRequired || depth === 0) return makeOpenObject(spec, objectPlan);
  return makeOptional(spec, isObject(initial), () => makeOpenObject(spec, objectPlan));
}

function makeOpenObject(spec: FieldSpec, { names, additional }: ObjectPlan): Field {
  const { plan, initial, depth, form } = spec;
  const group = makeGroup(spec);
  const given = isObject(initial) ? initial : {};
  const properties = own(plan.schema, "properties");
  const needed = own(plan.schema, "required");
  const parts = names.map((name) => {
    const schema = isObject(properties) ? own(properties, name) : undefined;
    const field = form.make({
      schema,
      // What a reference leads to is named for all who refer to it, and not for this field.
      label: (isObject(schema) ? textAt(schema, "title") : undefined) ?? name,
      isRequired: Array.isArray(needed) && needed.includes(name),
      initial: own(given, name),
      isFile: depth === 0 && form.fileFields.has(name),
      depth: depth + 1,
    });
    return [name, field] as const;
  });
  group.body.append(...parts.map(([, { element }]) => element));
  const map = makeMap(spec, { additional, given: without(given, names), names });
  if (map !== undefined) group.body.append(map.element);
  const all = () => [...parts, ...(map?.parts() ?? [])];
  return {
    element: group.element,
    read: () => fromEntries(readParts(all())),
    findProblems: () => [...problemsOfParts(all()), ...(map?.findProblems() ?? [])],
    showProblems: (problems) => showInParts(group, all(), problems),
  };
}

function* readParts(parts: readonly (readonly [string, Field])[]): Generator<[string, Json]> {
  for (const [name, field] of parts) {
    const value = field.read();
    if (value !== undefined) yield [name, value];
  }
}

function without(given: JsonObject, names: readonly string[]): JsonObject {
  const known = new Set(names);
  return fromEntries(Object.entries(given).filter(([name]) => !known.has(name)));
}

/** A part of the form that is there only once somebody wants it. */
function makeOptional(spec: FieldSpec, isOpen: boolean, make: () => Field): Field {
  const { label, plan } = spec;
  const place = h("div", { class: "optional" });
  let field: Field | undefined;
  const add = () => {
    field = make();
    place.replaceChildren(field.element, removeButton);
    field.element.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  };
  const remove = () => {
    field = undefined;
    place.replaceChildren(addButton);
    addButton.focus();
  };
  const addButton = button(optionalMessages.add(label), add);
  const removeButton = button(optionalMessages.remove(label), remove);
  if (isOpen) {
    field = make();
    place.append(field.element, removeButton);
  } else place.append(addButton);
  return {
    element: place,
    read: () => field?.read() ?? (plan.isNullable && spec.initial === null ? null : undefined),
    findProblems: () => field?.findProblems() ?? [],
    showProblems: (problems) => {
      if (field !== undefined) return field.showProblems(problems);
      if (problems.length === 0) return undefined;
      add();
      // It was just made, as a problem said that it is needed.
      return (field as Field | undefined)?.showProblems(problems);
    },
  };
}
