import { button, h, newElementId } from "../dom.ts";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { Problem } from "@toolhost/tool-schema";
import type { Field, FieldSpec } from "./field.ts";
import * as messages from "./messages.ts";

type AdditionalFields = {
  element: HTMLElement;
  /** The fields by their names. */
  parts(): (readonly [string, Field])[];
  findProblems(): Problem[];
};

type Row = { row: HTMLElement; name: HTMLInputElement; field: Field };
type AdditionalFieldsOptions = {
  additional: Json | undefined;
  initial: JsonObject;
  names: readonly string[];
};

/** Creates fields whose names the user chooses; undefined if the schema allows none and there are no initial ones. */
export function createAdditionalFields(
  spec: FieldSpec,
  options: AdditionalFieldsOptions,
): AdditionalFields | undefined {
  const { additional, initial, names } = options;
  const isClosed = spec.plan.schema["additionalProperties"] === false;
  if (isClosed || (additional === undefined && Object.keys(initial).length === 0)) return undefined;
  const rows: Row[] = [];
  const list = h("div", { class: "map" });
  const add = (name: string, value: Json | undefined) => {
    const row = createRow(spec, { name, value, additional });
    row.row.append(
      button(
        messages.remove,
        () => {
          rows.splice(rows.indexOf(row), 1);
          row.row.remove();
          addButton.focus();
        },
        { class: "small", "aria-label": messages.removeField(name) },
      ),
    );
    rows.push(row);
    list.append(row.row);
    return row;
  };
  const addButton = button(messages.addField(spec.label), () => add("", undefined).name.focus());
  for (const [name, value] of Object.entries(initial)) add(name, value);
  return {
    element: h("div", {}, list, addButton),
    parts: () =>
      rows.filter(({ name }) => name.value !== "").map((row) => [row.name.value, row.field]),
    findProblems: () => {
      const usedNames = new Set(names);
      return rows.flatMap(({ name: { value } }) => {
        if (value === "") return [{ path: [], message: messages.unnamedField }];
        if (usedNames.has(value)) return [{ path: [], message: messages.duplicateField(value) }];
        usedNames.add(value);
        return [];
      });
    },
  };
}

function createRow(
  { form, depth }: FieldSpec,
  {
    name,
    value,
    additional,
  }: { name: string; value: Json | undefined; additional: Json | undefined },
): Row {
  const id = newElementId();
  const control = h("input", {
    class: "ui-input",
    id,
    type: "text",
    value: name,
    autocomplete: "off",
  });
  control.value = name;
  const field = form.createField({
    schema: additional === true ? {} : additional,
    label: messages.fieldValue,
    isRequired: true,
    initial: value,
    isFile: false,
    depth: depth + 1,
  });
  const row = h(
    "div",
    { class: "item" },
    h(
      "div",
      { class: "ui-field" },
      h("label", { class: "ui-label", for: id }, messages.fieldName),
      control,
    ),
    field.element,
  );
  return { row, name: control, field };
}
