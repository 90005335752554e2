import { button, h } from "../dom.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import { treeMessages, valueMessages } from "./messages.ts";
import { showText } from "./show-text.ts";

const atOnce = 200;

/** Any JSON as a tree. Branches are made when they are opened, so neither depth nor size matters. */
export function showTree(value: Json, name?: string): HTMLElement {
  const label = name === undefined ? undefined : `${name}: `;
  if (!Array.isArray(value) && !isObject(value)) {
    return h("div", { class: "leaf" }, h("span", { class: "muted" }, label), showLeaf(value));
  }
  const size = Array.isArray(value)
    ? treeMessages.items(value.length)
    : treeMessages.fields(Object.keys(value).length);
  const summary = h("summary", {}, label, h("span", { class: "muted" }, size));
  const branch = h("details", { class: "tree" }, summary);
  let isFilled = false;
  branch.addEventListener("toggle", () => {
    if (isFilled || !branch.open) return;
    isFilled = true;
    appendMembers(branch, entriesOf(value), 0);
  });
  return branch;
}

function showLeaf(value: string | number | boolean | null): Node {
  if (typeof value === "string") return showText(JSON.stringify(value), "inline");
  return h("code", {}, String(value));
}

function entriesOf(value: Json): [string, Json][] {
  return Array.isArray(value)
    ? value.map((item, index): [string, Json] => [String(index), item])
    : Object.entries(isObject(value) ? value : {});
}

function appendMembers(place: HTMLElement, entries: readonly [string, Json][], from: number): void {
  place.append(...entries.slice(from, from + atOnce).map(([name, item]) => showTree(item, name)));
  const left = entries.length - from - atOnce;
  if (left <= 0) return;
  const more = button(valueMessages.more(Math.min(left, atOnce), left), () => {
    more.remove();
    appendMembers(place, entries, from + atOnce);
  });
  place.append(more);
}
