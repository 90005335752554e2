import { button, h } from "../dom.ts";
import { isObject, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { createLink, safeUrl } from "./link.ts";
import type { ResultHost } from "./link.ts";
import { looksLikeMarkdown, renderMarkdown } from "./markdown.ts";
import * as messages from "./messages.ts";
import { parseFileReference, renderDataImage, renderFile } from "./render-file.ts";
import { renderTable } from "./render-table.ts";
import { renderText } from "./render-text.ts";
import { renderTree } from "./render-tree.ts";
import { formatNumber } from "./format.ts";
import { formatTime } from "../time.ts";

/** How to render a value. */
export type ValueContext = {
  name: string;
  /** The property in the tool's output schema; empty for values that it does not declare. */
  declared: JsonObject;
  host: ResultHost;
  depth: number;
};

const maxDepth = 3;
const maxMembers = 30;
const maxItems = 100;
const maxMarkdownLength = 200_000;

/** Renders a value by its type and content. Strings are never interpreted as HTML. */
export function renderValue(value: Json, context: ValueContext): HTMLElement {
  if (value === null) return h("span", { class: "muted" }, messages.none);
  if (typeof value === "boolean") return h("span", {}, value ? messages.yes : messages.no);
  if (typeof value === "number") return renderNumber(value, context);
  if (typeof value === "string") return renderString(value, context);
  return Array.isArray(value) ? renderList(value, context) : renderObject(value, context);
}

function renderNumber(value: number, { declared }: ValueContext): HTMLElement {
  const unit = textAt(declared, "unit");
  const text = formatNumber(value);
  return h(
    "span",
    { class: "number", title: value },
    unit === undefined ? text : `${text} ${unit}`,
  );
}

function renderString(value: string, { declared, host, name }: ValueContext): HTMLElement {
  if (value === "") return h("span", { class: "muted" }, messages.empty);
  const image = value.startsWith("data:image/") ? renderDataImage(value, name) : undefined;
  if (image !== undefined) return image;
  if (/^https?:\/\/\S+$/.test(value) && safeUrl(value) !== undefined) {
    return h("span", { class: "text" }, createLink(host, value));
  }
  const format = textAt(declared, "format") ?? textAt(declared, "contentMediaType") ?? "";
  if (format === "date-time") return renderTime(value);
  if (format === "code") return renderText(value, "code");
  const isMarkdown = format === "markdown" || format === "text/markdown";
  if (value.length <= maxMarkdownLength && (isMarkdown || looksLikeMarkdown(value))) {
    return h(
      "div",
      {},
      renderMarkdown(value, host),
      lazyDetails(messages.viewAsText, () => renderText(value, "code")),
    );
  }
  return renderText(value);
}

function renderTime(value: string): HTMLElement {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return renderText(value);
  return h("time", { datetime: value, title: value }, formatTime(time));
}

function renderList(value: readonly Json[], context: ValueContext): HTMLElement {
  if (value.length === 0) return h("span", { class: "muted" }, messages.emptyList);
  if (context.depth > maxDepth) return renderTree([...value]);
  const objects = value.filter(isObject);
  const areFiles =
    objects.length === value.length && objects.every((object) => parseFileReference(object));
  const inner = { ...context, declared: {}, depth: context.depth + 1 };
  if (objects.length === value.length && !areFiles) {
    const renderCell = (cell: Json) => renderValue(cell, { ...inner, depth: maxDepth });
    return renderTable(objects, { caption: context.name, renderCell, save: context.host.save });
  }
  const list = h("ul", { class: "values" });
  const more = button("", () => append());
  const append = () => {
    const from = list.children.length;
    for (const item of value.slice(from, from + maxItems)) {
      list.append(h("li", {}, renderValue(item, inner)));
    }
    const left = value.length - list.children.length;
    more.hidden = left === 0;
    more.textContent = messages.showMore(Math.min(left, maxItems), left);
  };
  append();
  return h("div", {}, list, more);
}

/** Whether the value fits on the line of its name. */
export function isShort(value: Json): boolean {
  if (typeof value === "string") return value.length <= 100 && !value.includes("\n");
  return value === null || typeof value !== "object";
}

function renderObject(value: JsonObject, context: ValueContext): HTMLElement {
  const file = parseFileReference(value);
  if (file !== undefined) return renderFile(file, context.host);
  const members = Object.entries(value);
  if (members.length === 0) return h("span", { class: "muted" }, messages.empty);
  if (context.depth >= maxDepth || members.length > maxMembers) return renderTree(value);
  const inner = { ...context, declared: {}, depth: context.depth + 1 };
  const pairs = members.map(([name, member]) =>
    h(
      "div",
      { class: isShort(member) ? "pair" : "long" },
      h("dt", {}, name),
      h("dd", {}, renderValue(member, { ...inner, name })),
    ),
  );
  return h("dl", { class: "nested" }, ...pairs);
}

/** A disclosure whose content is rendered when it is first opened. */
export function lazyDetails(label: string, render: () => Node): HTMLElement {
  const details = h("details", { class: "later" }, h("summary", {}, label));
  let isRendered = false;
  details.addEventListener("toggle", () => {
    if (isRendered || !details.open) return;
    isRendered = true;
    details.append(render());
  });
  return details;
}
