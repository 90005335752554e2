import { button, h } from "../dom.ts";
import { isObject, numberAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import type { Field, FieldSpec } from "./field.ts";
import { makeGroup, problemsOfParts, showInParts } from "./group.ts";
import { listMessages } from "./messages.ts";

type Entry = {
  row: HTMLElement;
  field: Field;
  /** Its place says what it is, so it neither moves nor goes. */
  isFixed: boolean;
};
type List = { items: Json | undefined; prefix: readonly Json[] };

/** Values of one kind one below the other, to be added, removed and moved. */
export function makeListField(spec: FieldSpec, list: List): Field {
  const { initial, label, isRequired } = spec;
  const group = makeGroup(spec);
  const said = h("p", { class: "unseen", role: "status" });
  const rows = h("ol", { class: "entries" });
  const entries: Entry[] = [];
  const say = (text: string) => {
    said.textContent = text;
  };
  const rearrange = () => {
    rows.replaceChildren(...entries.map(({ row }) => row));
    updateRows(entries, spec, addButton);
  };
  const add = (value: Json | undefined) => {
    const entry = makeEntry(spec, list, { index: entries.length, value });
    if (!entry.isFixed)
      entry.row.append(makeTools(entry, entries, { rearrange, say, label, addButton }));
    entries.push(entry);
    return entry;
  };
  const addButton = button(listMessages.add(label), () => {
    const { row } = add(undefined);
    rearrange();
    row.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  });
  for (const value of startOf(spec, list)) add(value);
  rearrange();
  group.body.append(rows, addButton, said);
  const parts = () => entries.map(({ field }, index) => [String(index), field] as const);
  return {
    element: group.element,
    read: () => {
      const values = entries.map(({ field }) => field.read() ?? null);
      const isLeftOut = values.length === 0 && !isRequired && !Array.isArray(initial);
      return isLeftOut ? undefined : values;
    },
    findProblems: () => problemsOfParts(parts()),
    showProblems: (problems) => showInParts(group, parts(), problems),
  };
}

/** What was given, or as many empty entries as there must be. */
function startOf({ plan, initial, isRequired }: FieldSpec, list: List): (Json | undefined)[] {
  if (Array.isArray(initial)) return initial;
  if (!isRequired) return [];
  const least = Math.max(numberAt(plan.schema, "minItems") ?? 0, list.prefix.length);
  return Array.from({ length: Math.min(least, 20) }, () => undefined);
}

function makeEntry(
  { label, isRequired, isFile, depth, form }: FieldSpec,
  { items, prefix }: List,
  { index, value }: { index: number; value: Json | undefined },
): Entry {
  const isFixed = isRequired && index < prefix.length;
  const schema = index < prefix.length ? prefix[index] : items;
  const title = isFixed && isObject(schema) ? textAt(schema, "title") : undefined;
  const field = form.make({
    schema,
    label: title ?? listMessages.item(label, index + 1),
    isRequired: true,
    initial: value,
    isFile,
    depth: depth + 1,
  });
  return { row: h("li", { class: "entry" }, field.element), field, isFixed };
}

type Tools = {
  rearrange: () => void;
  say: (text: string) => void;
  label: string;
  addButton: HTMLElement;
};

function makeTools(
  entry: Entry,
  entries: Entry[],
  { rearrange, say, label, addButton }: Tools,
): HTMLElement {
  const move = (by: number, control: HTMLElement) => {
    const from = entries.indexOf(entry);
    entries.splice(from, 1);
    entries.splice(from + by, 0, entry);
    rearrange();
    control.focus();
    say(listMessages.moved(label, from + by + 1, entries.length));
  };
  const up = button("↑", () => move(-1, up), { class: "tool up" });
  const down = button("↓", () => move(1, down), { class: "tool down" });
  const remove = button(
    listMessages.remove,
    () => {
      const at = entries.indexOf(entry);
      entries.splice(at, 1);
      rearrange();
      const next = entries[Math.min(at, entries.length - 1)]?.row;
      (next?.querySelector<HTMLElement>(":scope > .tools > .remove") ?? addButton).focus();
      say(listMessages.removed(label, at + 1, entries.length));
    },
    { class: "tool remove" },
  );
  return h("div", { class: "tools" }, up, down, remove);
}

/** Keeps the tools of each row to what can be done with it, and says which row they are of. */
function updateRows(entries: readonly Entry[], { label, plan }: FieldSpec, add: HTMLElement): void {
  for (const [index, { row, isFixed }] of entries.entries()) {
    if (isFixed) continue;
    const name = listMessages.item(label, index + 1);
    const caption = row.querySelector("label, legend")?.firstChild;
    if (caption instanceof Text) caption.data = name;
    for (const [tool, words, isOff] of [
      ["up", listMessages.moveUp(name), entries[index - 1]?.isFixed !== false],
      ["down", listMessages.moveDown(name), index === entries.length - 1],
      ["remove", listMessages.removeItem(name), false],
    ] as const) {
      const control = row.querySelector(`:scope > .tools > .${tool}`);
      control?.setAttribute("aria-label", words);
      control?.toggleAttribute("disabled", isOff);
    }
  }
  const most = numberAt(plan.schema, "maxItems");
  const isClosed = own(plan.schema, "items") === false && Array.isArray(plan.schema["prefixItems"]);
  const closedAt = isClosed ? (plan.schema["prefixItems"] as Json[]).length : undefined;
  add.hidden = entries.length >= (most ?? closedAt ?? Number.POSITIVE_INFINITY);
}
