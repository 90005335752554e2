import { button, h, newElementId } from "../dom.ts";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { Problem } from "@toolhost/tool-schema";
import type { Field, FieldSpec } from "./field.ts";
import { additionalFieldMessages } from "./messages.ts";

type MapPart = {
  element: HTMLElement;
  /** The fields by the names that were given to them. */
  parts(): (readonly [string, Field])[];
  findProblems(): Problem[];
};

type Row = { row: HTMLElement; name: HTMLInputElement; field: Field };
type MapOptions = { additional: Json | undefined; given: JsonObject; names: readonly string[] };

/** Fields whose names somebody chooses; undefined where a schema asks for none and none were given. */
export function makeMap(spec: FieldSpec, options: MapOptions): MapPart | undefined {
  const { additional, given, names } = options;
  const isClosed = spec.plan.schema["additionalProperties"] === false;
  if (isClosed || (additional === undefined && Object.keys(given).length === 0)) return undefined;
  const rows: Row[] = [];
  const place = h("div", { class: "map" });
  const add = (name: string, value: Json | undefined) => {
    const row = makeRow(spec, { name, value, additional });
    row.row.append(
      button(
        additionalFieldMessages.remove,
        () => {
          rows.splice(rows.indexOf(row), 1);
          row.row.remove();
          addButton.focus();
        },
        { class: "tool", "aria-label": additionalFieldMessages.removeField(name) },
      ),
    );
    rows.push(row);
    place.append(row.row);
    return row;
  };
  const addButton = button(additionalFieldMessages.add(spec.label), () =>
    add("", undefined).name.focus(),
  );
  for (const [name, value] of Object.entries(given)) add(name, value);
  return {
    element: h("div", {}, place, addButton),
    parts: () =>
      rows.filter(({ name }) => name.value !== "").map((row) => [row.name.value, row.field]),
    findProblems: () => {
      const taken = new Set(names);
      return rows.flatMap(({ name: { value } }) => {
        if (value === "") return [{ path: [], message: additionalFieldMessages.unnamed }];
        if (taken.has(value))
          return [{ path: [], message: additionalFieldMessages.duplicate(value) }];
        taken.add(value);
        return [];
      });
    },
  };
}

function makeRow(
  { form, depth }: FieldSpec,
  {
    name,
    value,
    additional,
  }: { name: string; value: Json | undefined; additional: Json | undefined },
): Row {
  const id = newElementId();
  const control = h("input", { id, type: "text", value: name, autocomplete: "off" });
  control.value = name;
  const field = form.make({
    schema: additional === true ? {} : additional,
    label: additionalFieldMessages.value,
    isRequired: true,
    initial: value,
    isFile: false,
    depth: depth + 1,
  });
  const row = h(
    "div",
    { class: "entry" },
    h("div", { class: "field" }, h("label", { for: id }, additionalFieldMessages.name), control),
    field.element,
  );
  return { row, name: control, field };
}
