import { h } from "../dom.ts";
import type { ResultHost } from "./link.ts";
import { renderInline } from "./markdown-inline.ts";
import * as messages from "./messages.ts";

const maxLines = 5_000;
const headingTags = ["h2", "h3", "h4", "h5", "h6"] as const;

/**
 * Renders Markdown: headings, paragraphs, lists, quotes, code, tables, emphasis and links. Each element is created on its
 * own, so HTML in the text is never interpreted. Images become links. Headings start at level `top` and skip no level, whatever
 * levels the text uses.
 */
export function renderMarkdown(text: string, host: ResultHost, top: 2 | 3 = 3): HTMLElement {
  const lines = text.split(/\r?\n/);
  const element = h("div", { class: "markdown" });
  const reader = { lines: lines.slice(0, maxLines), at: 0, top, open: [] };
  while (reader.at < reader.lines.length) {
    const block = readBlock(reader, host);
    if (block !== undefined) element.append(block);
  }
  if (lines.length > maxLines) {
    element.append(h("p", { class: "muted" }, messages.hiddenLines(lines.length - maxLines)));
  }
  return element;
}

/** Guesses whether text is Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  if (!text.includes("\n") || text.length > 200_000) return false;
  const markers = text.match(/^(?:#{1,6} \S|```|[-*] \S|\d{1,3}\. \S|> \S|\|.*\|)/gm) ?? [];
  return markers.some((marker) => marker.startsWith("#") || marker === "```") || markers.length > 1;
}

type Reader = {
  lines: readonly string[];
  at: number;
  top: 2 | 3;
  /** The levels in the text of the headings that contain the current line. */
  open: readonly number[];
};

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
    const level = heading[1]?.length ?? 1;
    reader.open = [...reader.open.filter((one) => one < level), level];
    const tag = headingTags[reader.top + reader.open.length - 3] ?? "h6";
    return h(tag, {}, ...renderInline(heading[2] ?? "", host));
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

const itemPattern = /^(\s{0,8})(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

function isItem(line: string): boolean {
  return itemPattern.test(line);
}

/** Reads a list. Items that are indented further form a nested list. */
function readList(reader: Reader, host: ResultHost): Node {
  const first = itemPattern.exec(reader.lines[reader.at] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const start = first?.[2];
  const list = start === undefined ? h("ul") : h("ol", { start });
  while (reader.at < reader.lines.length) {
    const item = itemPattern.exec(reader.lines[reader.at] ?? "");
    if (item === null || (item[1]?.length ?? 0) < indent) break;
    if ((item[1]?.length ?? 0) > indent + 1) {
      (list.lastElementChild ?? list).append(readList(reader, host));
      continue;
    }
    reader.at += 1;
    list.append(h("li", {}, ...renderInline(item[3] ?? "", host)));
  }
  return list;
}

function readQuote(reader: Reader, host: ResultHost): Node {
  const lines: string[] = [];
  while ((reader.lines[reader.at] ?? "").startsWith(">")) {
    lines.push((reader.lines[reader.at] ?? "").replace(/^[> ]+/, ""));
    reader.at += 1;
  }
  return h("blockquote", {}, h("p", {}, ...renderInline(lines.join("\n"), host)));
}

function readParagraph(reader: Reader, host: ResultHost): Node {
  const lines: string[] = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? "";
    const isEnd = line.trim() === "" || /^(?: {0,3}(?:#{1,6}\s|```|~~~)|>)/.test(line);
    if (lines.length > 0 && (isEnd || isItem(line))) break;
    lines.push(line.trim());
    reader.at += 1;
  }
  return h("p", {}, ...renderInline(lines.join("\n"), host));
}

const delimiterRow = /^\s*\|?\s*:?-{1,100}:?\s*(?:\|\s*:?-{1,100}:?\s*){0,50}\|?\s*$/;

function isTableStart({ lines, at }: Reader): boolean {
  const [header, delimiter] = [lines[at] ?? "", lines[at + 1] ?? ""];
  return header.includes("|") && delimiter.includes("|") && delimiterRow.test(delimiter);
}

function readTable(reader: Reader, host: ResultHost): Node {
  const header = cellsOf(reader.lines[reader.at] ?? "");
  reader.at += 2;
  const body = h("tbody");
  while ((reader.lines[reader.at] ?? "").includes("|")) {
    const cells = cellsOf(reader.lines[reader.at] ?? "").slice(0, header.length);
    reader.at += 1;
    body.append(h("tr", {}, ...cells.map((cell) => h("td", {}, ...renderInline(cell, host)))));
  }
  const row = header.map((cell) => h("th", { scope: "col" }, ...renderInline(cell, host)));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...row)), body);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": messages.table },
    table,
  );
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return trimmed.split("|", 50).map((cell) => cell.trim());
}
