import { button, h } from "../dom.ts";
import { isObject } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import * as messages from "./messages.ts";
import { renderText } from "./render-text.ts";

const pageSize = 200;

/** Renders JSON as a tree. Branches are rendered when they are opened, so depth and size do not matter. */
export function renderTree(value: Json, name?: string): HTMLElement {
  const label = name === undefined ? undefined : `${name}: `;
  if (!Array.isArray(value) && !isObject(value)) {
    return h("div", { class: "leaf" }, h("span", { class: "muted" }, label), renderLeaf(value));
  }
  const size = Array.isArray(value)
    ? messages.itemCount(value.length)
    : messages.fieldCount(Object.keys(value).length);
  const summary = h("summary", {}, label, h("span", { class: "muted" }, size));
  const branch = h("details", { class: "tree" }, summary);
  let isRendered = false;
  branch.addEventListener("toggle", () => {
    if (isRendered || !branch.open) return;
    isRendered = true;
    appendMembers(branch, entriesOf(value), 0);
  });
  return branch;
}

function renderLeaf(value: string | number | boolean | null): Node {
  if (typeof value === "string") return renderText(JSON.stringify(value), "inline");
  return h("code", {}, String(value));
}

function entriesOf(value: Json): [string, Json][] {
  return Array.isArray(value)
    ? value.map((item, index): [string, Json] => [String(index), item])
    : Object.entries(isObject(value) ? value : {});
}

function appendMembers(
  parent: HTMLElement,
  entries: readonly [string, Json][],
  from: number,
): void {
  parent.append(
    ...entries.slice(from, from + pageSize).map(([name, item]) => renderTree(item, name)),
  );
  const left = entries.length - from - pageSize;
  if (left <= 0) return;
  const more = button(messages.showMore(Math.min(left, pageSize), left), () => {
    more.remove();
    appendMembers(parent, entries, from + pageSize);
  });
  parent.append(more);
}
