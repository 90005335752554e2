import { button, h } from "../dom.ts";
import { isObject, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { makeLink, safeAddress } from "./links.ts";
import type { ResultHost } from "./links.ts";
import { looksLikeMarkdown, showMarkdown } from "./markdown.ts";
import { valueMessages } from "./messages.ts";
import { readFile, showDataImage, showFile } from "./show-file.ts";
import { showTable } from "./show-table.ts";
import { showText } from "./show-text.ts";
import { showTree } from "./show-tree.ts";
import { formatNumber } from "./format.ts";

/** What is known of a value beside itself. */
export type Hint = {
  name: string;
  /** What the tool's author said of it. */
  declared: JsonObject;
  host: ResultHost;
  depth: number;
};

const deepest = 3;
const maxMembers = 30;
const maxItems = 100;
const maxMarkdown = 200_000;

/** Shows a value by what it is. Text stays text, whatever is in it. */
export function showValue(value: Json, hint: Hint): HTMLElement {
  if (value === null) return h("span", { class: "muted" }, valueMessages.none);
  if (typeof value === "boolean")
    return h("span", {}, value ? valueMessages.yes : valueMessages.no);
  if (typeof value === "number") return showNumber(value, hint);
  if (typeof value === "string") return showString(value, hint);
  return Array.isArray(value) ? showList(value, hint) : showObject(value, hint);
}

function showNumber(value: number, { declared }: Hint): HTMLElement {
  const unit = textAt(declared, "unit");
  const text = formatNumber(value);
  return h(
    "span",
    { class: "number", title: value },
    unit === undefined ? text : `${text} ${unit}`,
  );
}

function showString(value: string, { declared, host, name }: Hint): HTMLElement {
  if (value === "") return h("span", { class: "muted" }, valueMessages.empty);
  const image = value.startsWith("data:image/") ? showDataImage(value, name) : undefined;
  if (image !== undefined) return image;
  if (/^https?:\/\/\S+$/.test(value) && safeAddress(value) !== undefined) {
    return h("span", { class: "text" }, makeLink(host, value));
  }
  const format = textAt(declared, "format") ?? textAt(declared, "contentMediaType") ?? "";
  if (format === "date-time") return showTime(value);
  if (format === "code") return showText(value, "code");
  const isMarkdown = format === "markdown" || format === "text/markdown";
  if (value.length <= maxMarkdown && (isMarkdown || looksLikeMarkdown(value))) {
    return h(
      "div",
      {},
      showMarkdown(value, host),
      later(valueMessages.plainText, () => showText(value, "code")),
    );
  }
  return showText(value);
}

function showTime(value: string): HTMLElement {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return showText(value);
  return h("time", { datetime: value, title: value }, new Date(time).toLocaleString());
}

function showList(value: readonly Json[], hint: Hint): HTMLElement {
  if (value.length === 0) return h("span", { class: "muted" }, valueMessages.emptyList);
  if (hint.depth > deepest) return showTree([...value]);
  const objects = value.filter(isObject);
  const areFiles = objects.length === value.length && objects.every((one) => readFile(one));
  const inside = { ...hint, declared: {}, depth: hint.depth + 1 };
  if (objects.length === value.length && !areFiles) {
    const showCell = (cell: Json) => showValue(cell, { ...inside, depth: deepest });
    return showTable(objects, { caption: hint.name, showCell, save: hint.host.save });
  }
  const list = h("ul", { class: "values" });
  const more = button("", () => append());
  const append = () => {
    const from = list.children.length;
    for (const item of value.slice(from, from + maxItems)) {
      list.append(h("li", {}, showValue(item, inside)));
    }
    const left = value.length - list.children.length;
    more.hidden = left === 0;
    more.textContent = valueMessages.more(Math.min(left, maxItems), left);
  };
  append();
  return h("div", {}, list, more);
}

/** What fits beside its name. */
export function isShort(value: Json): boolean {
  if (typeof value === "string") return value.length <= 100 && !value.includes("\n");
  return value === null || typeof value !== "object";
}

function showObject(value: JsonObject, hint: Hint): HTMLElement {
  const file = readFile(value);
  if (file !== undefined) return showFile(file, hint.host);
  const members = Object.entries(value);
  if (members.length === 0) return h("span", { class: "muted" }, valueMessages.empty);
  if (hint.depth >= deepest || members.length > maxMembers) return showTree(value);
  const inside = { ...hint, declared: {}, depth: hint.depth + 1 };
  const pairs = members.map(([name, member]) =>
    h(
      "div",
      { class: isShort(member) ? "pair" : "long" },
      h("dt", {}, name),
      h("dd", {}, showValue(member, { ...inside, name })),
    ),
  );
  return h("dl", { class: "nested" }, ...pairs);
}

/** Something that is made only when somebody opens it. */
export function later(label: string, make: () => Node): HTMLElement {
  const details = h("details", { class: "later" }, h("summary", {}, label));
  let isMade = false;
  details.addEventListener("toggle", () => {
    if (isMade || !details.open) return;
    isMade = true;
    details.append(make());
  });
  return details;
}
