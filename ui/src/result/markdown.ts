import { h } from "../dom.ts";
import type { ResultHost } from "./links.ts";
import { showInline } from "./markdown-inline.ts";
import { markdownMessages } from "./messages.ts";

const maxLines = 5_000;
const headings = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;

/**
 * Shows Markdown as elements that are made one by one, so that nothing in it is ever read as HTML: headings,
 * paragraphs, lists, quotes, code, tables, emphasis and links. Images become links to them.
 */
export function showMarkdown(text: string, host: ResultHost): HTMLElement {
  const lines = text.split(/\r?\n/);
  const element = h("div", { class: "markdown" });
  const reader = { lines: lines.slice(0, maxLines), at: 0 };
  while (reader.at < reader.lines.length) {
    const block = readBlock(reader, host);
    if (block !== undefined) element.append(block);
  }
  if (lines.length > maxLines) {
    element.append(
      h("p", { class: "muted" }, markdownMessages.hiddenLines(lines.length - maxLines)),
    );
  }
  return element;
}

/** Whether a text looks as if it was written as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  if (!text.includes("\n") || text.length > 200_000) return false;
  const marks = text.match(/^(?:#{1,6} \S|```|[-*] \S|\d{1,3}\. \S|> \S|\|.*\|)/gm) ?? [];
  return marks.some((mark) => mark.startsWith("#") || mark === "```") || marks.length > 1;
}

type Reader = { lines: readonly string[]; at: number };

function readBlock(reader: Reader, host: ResultHost): Node | undefined {
  const line = reader.lines[reader.at] ?? "";
  if (line.trim() === "") {
    reader.at += 1;
    return undefined;
  }
  const fence = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
  if (fence !== undefined) return readCode(reader, fence);
  const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading !== null) {
    reader.at += 1;
    const level = headings[(heading[1]?.length ?? 1) - 1] ?? "h6";
    return h(level, {}, ...showInline(heading[2] ?? "", host));
  }
  if (/^ {0,3}(?:[-*_] *){3,}$/.test(line)) {
    reader.at += 1;
    return h("hr");
  }
  if (isTableStart(reader)) return readTable(reader, host);
  if (isItem(line)) return readList(reader, host);
  if (line.startsWith(">")) return readQuote(reader, host);
  return readParagraph(reader, host);
}

function readCode(reader: Reader, fence: string): Node {
  reader.at += 1;
  const code: string[] = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? "";
    reader.at += 1;
    if (line.trim().startsWith(fence)) break;
    code.push(line);
  }
  return h("pre", { tabindex: 0 }, h("code", {}, code.join("\n")));
}

const itemMark = /^(\s{0,8})(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

function isItem(line: string): boolean {
  return itemMark.test(line);
}

/** A list; items that stand further in belong to a list within. */
function readList(reader: Reader, host: ResultHost): Node {
  const first = itemMark.exec(reader.lines[reader.at] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const start = first?.[2];
  const list = start === undefined ? h("ul") : h("ol", { start });
  while (reader.at < reader.lines.length) {
    const item = itemMark.exec(reader.lines[reader.at] ?? "");
    if (item === null || (item[1]?.length ?? 0) < indent) break;
    if ((item[1]?.length ?? 0) > indent + 1) {
      (list.lastElementChild ?? list).append(readList(reader, host));
      continue;
    }
    reader.at += 1;
    list.append(h("li", {}, ...showInline(item[3] ?? "", host)));
  }
  return list;
}

function readQuote(reader: Reader, host: ResultHost): Node {
  const lines: string[] = [];
  while ((reader.lines[reader.at] ?? "").startsWith(">")) {
    lines.push((reader.lines[reader.at] ?? "").replace(/^[> ]+/, ""));
    reader.at += 1;
  }
  return h("blockquote", {}, h("p", {}, ...showInline(lines.join("\n"), host)));
}

function readParagraph(reader: Reader, host: ResultHost): Node {
  const lines: string[] = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? "";
    const isOver = line.trim() === "" || /^(?: {0,3}(?:#{1,6}\s|```|~~~)|>)/.test(line);
    if (lines.length > 0 && (isOver || isItem(line))) break;
    lines.push(line.trim());
    reader.at += 1;
  }
  return h("p", {}, ...showInline(lines.join("\n"), host));
}

const ruler = /^\s*\|?\s*:?-{1,100}:?\s*(?:\|\s*:?-{1,100}:?\s*){0,50}\|?\s*$/;

function isTableStart({ lines, at }: Reader): boolean {
  const [head, rule] = [lines[at] ?? "", lines[at + 1] ?? ""];
  return head.includes("|") && rule.includes("|") && ruler.test(rule);
}

function readTable(reader: Reader, host: ResultHost): Node {
  const head = cellsOf(reader.lines[reader.at] ?? "");
  reader.at += 2;
  const body = h("tbody");
  while ((reader.lines[reader.at] ?? "").includes("|")) {
    const cells = cellsOf(reader.lines[reader.at] ?? "").slice(0, head.length);
    reader.at += 1;
    body.append(h("tr", {}, ...cells.map((cell) => h("td", {}, ...showInline(cell, host)))));
  }
  const row = head.map((cell) => h("th", { scope: "col" }, ...showInline(cell, host)));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...row)), body);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": markdownMessages.table },
    table,
  );
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return trimmed.split("|", 50).map((cell) => cell.trim());
}
