import { button, h } from "../dom.ts";
import { isObject, numberAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import type { Field, FieldSpec } from "./field.ts";
import { createGroup, findProblemsInParts, showProblemsInParts } from "./group.ts";
import * as messages from "./messages.ts";

type Item = {
  row: HTMLElement;
  field: Field;
  /** Its position gives it a meaning, so it cannot be moved or removed. */
  isFixed: boolean;
};
type ListPlan = { items: Json | undefined; prefix: readonly Json[] };

const maxEmptyItems = 20;

/** Creates a field for a list, whose items can be added, removed and moved. */
export function createListField(spec: FieldSpec, plan: ListPlan): Field {
  const { initial, label, isRequired } = spec;
  const group = createGroup(spec);
  const status = h("p", { class: "visually-hidden", role: "status" });
  const rows = h("ol", { class: "items" });
  const items: Item[] = [];
  const announce = (text: string) => {
    status.textContent = text;
  };
  const updateRows = () => {
    rows.replaceChildren(...items.map(({ row }) => row));
    updateActions(items, spec, addButton);
  };
  const add = (value: Json | undefined) => {
    const item = createItem(spec, plan, { index: items.length, value });
    if (!item.isFixed) {
      item.row.append(createItemActions(item, items, { updateRows, announce, label, addButton }));
    }
    items.push(item);
    return item;
  };
  const addButton = button(messages.addItem(label), () => {
    const { row } = add(undefined);
    updateRows();
    row.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  });
  for (const value of initialItems(spec, plan)) add(value);
  updateRows();
  group.body.append(rows, addButton, status);
  const parts = () => items.map(({ field }, index) => [String(index), field] as const);
  return {
    element: group.element,
    read: () => {
      const values = items.map(({ field }) => field.read() ?? null);
      const isLeftOut = values.length === 0 && !isRequired && !Array.isArray(initial);
      return isLeftOut ? undefined : values;
    },
    findProblems: () => findProblemsInParts(parts()),
    showProblems: (problems) => showProblemsInParts(group, parts(), problems),
  };
}

/** The initial values, or as many empty items as the schema requires. */
function initialItems(
  { plan, initial, isRequired }: FieldSpec,
  { prefix }: ListPlan,
): (Json | undefined)[] {
  if (Array.isArray(initial)) return initial;
  if (!isRequired) return [];
  const min = Math.max(numberAt(plan.schema, "minItems") ?? 0, prefix.length);
  return Array.from({ length: Math.min(min, maxEmptyItems) }, () => undefined);
}

function createItem(
  { label, isRequired, isFile, depth, form }: FieldSpec,
  { items, prefix }: ListPlan,
  { index, value }: { index: number; value: Json | undefined },
): Item {
  const isFixed = isRequired && index < prefix.length;
  const schema = index < prefix.length ? prefix[index] : items;
  const title = isFixed && isObject(schema) ? textAt(schema, "title") : undefined;
  const field = form.createField({
    schema,
    label: title ?? messages.itemLabel(label, index + 1),
    isRequired: true,
    initial: value,
    isFile,
    depth: depth + 1,
  });
  return { row: h("li", { class: "item" }, field.element), field, isFixed };
}

type ItemContext = {
  updateRows: () => void;
  announce: (text: string) => void;
  label: string;
  addButton: HTMLElement;
};

function createItemActions(
  item: Item,
  items: Item[],
  { updateRows, announce, label, addButton }: ItemContext,
): HTMLElement {
  const move = (by: number, control: HTMLElement) => {
    const from = items.indexOf(item);
    items.splice(from, 1);
    items.splice(from + by, 0, item);
    updateRows();
    control.focus();
    announce(messages.itemMoved(label, from + by + 1, items.length));
  };
  const up = button("↑", () => move(-1, up), { class: "small icon up" });
  const down = button("↓", () => move(1, down), { class: "small icon down" });
  const remove = button(
    messages.remove,
    () => {
      const at = items.indexOf(item);
      items.splice(at, 1);
      updateRows();
      const next = items[Math.min(at, items.length - 1)]?.row;
      (next?.querySelector<HTMLElement>(":scope > .tools > .remove") ?? addButton).focus();
      announce(messages.itemRemoved(label, at + 1, items.length));
    },
    { class: "small remove" },
  );
  return h("div", { class: "tools" }, up, down, remove);
}

/** Updates the label of each row, and the buttons that apply to it. */
function updateActions(
  items: readonly Item[],
  { label: listLabel, plan }: FieldSpec,
  add: HTMLElement,
): void {
  for (const [index, { row, isFixed }] of items.entries()) {
    if (isFixed) continue;
    const name = messages.itemLabel(listLabel, index + 1);
    const label = row.querySelector("label, legend");
    // The label of a checkbox contains the checkbox first.
    const text = [...(label?.childNodes ?? [])].find((node) => node instanceof Text);
    if (text !== undefined) text.data = name;
    for (const [action, ariaLabel, isDisabled] of [
      ["up", messages.moveUp(name), items[index - 1]?.isFixed !== false],
      ["down", messages.moveDown(name), index === items.length - 1],
      ["remove", messages.removeItem(name), false],
    ] as const) {
      const control = row.querySelector(`:scope > .tools > .${action}`);
      control?.setAttribute("aria-label", ariaLabel);
      control?.toggleAttribute("disabled", isDisabled);
    }
  }
  const maxItems = numberAt(plan.schema, "maxItems");
  const isTuple = own(plan.schema, "items") === false && Array.isArray(plan.schema["prefixItems"]);
  const tupleLength = isTuple ? (plan.schema["prefixItems"] as Json[]).length : undefined;
  add.hidden = items.length >= (maxItems ?? tupleLength ?? Number.POSITIVE_INFINITY);
}
