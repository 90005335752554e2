import type { JsonObject, OutputSchema } from "@toolhost/contract";
import { unmaskLinks } from "../unmask-links.ts";
import type { ChatBlock } from "../block.ts";
import { isJsonObject } from "#lib/json-object";
import { cut } from "./json.ts";
import type { Json } from "./json.ts";
import { messages } from "./messages.ts";

/** Limits of the output in a message; the run's page shows all of it. */
const maxCharacters = 8_000;
const maxTextLength = 2_800;
const maxShort = 300;
const maxParts = 30;
const maxRows = 20;
const maxColumns = 8;
const maxCell = 120;
const maxItems = 50;

/** A file in an output: saved by the run, or embedded. */
export type OutputFile =
  | { fileId: string; fileName: string }
  | { fileName: string; mimeType: string; body: Buffer };

/** An output as blocks of a message. */
export type ShownOutput = {
  blocks: ChatBlock[];
  files: OutputFile[];
  /** Whether the message leaves anything out. */
  isCut: boolean;
  /** A table of which only the first rows are shown. */
  cutRows?: { shown: number; total: number };
};

type Field = { label: string; value: string };
type Page = ShownOutput & { left: number; fields: Field[] };

/** Shows an output by the kinds of its values. All of it is untrusted and stays text. */
export function showOutput(output: JsonObject, { properties }: OutputSchema): ShownOutput {
  const page: Page = { blocks: [], files: [], isCut: false, left: maxCharacters, fields: [] };
  const entries = Object.entries(output);
  const isAlone = entries.length === 1;
  for (const [name, value] of entries.slice(0, maxParts)) {
    const property = properties.find((one) => one.name === name);
    const isMarkdown =
      property?.["format"] === "markdown" || property?.["contentMediaType"] === "text/markdown";
    showValue(page, { label: name, isAlone, isMarkdown }, value);
  }
  flushFields(page);
  const { blocks, files, cutRows } = page;
  const isCut = page.isCut || entries.length > maxParts;
  return { blocks, files, isCut, ...(cutRows === undefined ? {} : { cutRows }) };
}

type Named = { label: string; isAlone: boolean; isMarkdown: boolean };

function showValue(page: Page, named: Named, value: Json): void {
  if (typeof value === "string") return showText(page, named, value);
  // Without its name, "yes" or "none" would not say of what.
  const labeled = { ...named, isAlone: false };
  if (value === null || typeof value === "boolean") return addField(page, labeled, inWords(value));
  if (typeof value !== "object") return addField(page, named, inWords(value));
  if (!Array.isArray(value)) return showObject(page, named, value);
  if (value.length === 0) return addField(page, labeled, messages.none);
  const rows = value.filter(isJsonObject);
  if (rows.length === value.length) {
    if (rows.every((row) => fileIn(row) !== undefined)) {
      for (const row of rows) showObject(page, named, row);
      return undefined;
    }
    return showTable(page, named, rows);
  }
  return showList(page, named, value);
}

function showText(page: Page, named: Named, text: string): void {
  const embedded = embeddedFile(named.label, text);
  if (embedded !== undefined) {
    page.files.push(embedded);
    return addField(page, named, embedded.fileName);
  }
  if (text.length <= maxShort && !text.includes("\n") && !named.isAlone) {
    return addField(page, named, text === "" ? messages.empty : text);
  }
  heading(page, named);
  const kind = named.isMarkdown ? "markdown" : looksLikeCode(text) ? "code" : "text";
  const shown = kind === "markdown" ? unmaskLinks(text) : text;
  add(page, kind, shown === "" ? messages.empty : shown);
}

function showObject(page: Page, named: Named, value: JsonObject): void {
  const file = fileIn(value);
  if (file !== undefined) {
    page.files.push(file);
    return addField(page, named, file.fileName);
  }
  const members = Object.entries(value);
  const isFlat = members.every(([, member]) => isShort(member));
  if (members.length > 0 && members.length <= 10 && isFlat) {
    for (const [name, member] of members) {
      const label = named.isAlone ? name : `${named.label}: ${name}`;
      addField(page, { ...named, label, isAlone: false }, inWords(member));
    }
    return;
  }
  heading(page, named);
  add(page, "code", JSON.stringify(value, null, 2));
}

function showTable(page: Page, named: Named, rows: readonly JsonObject[]): void {
  heading(page, named);
  const columns = [...new Set(rows.slice(0, maxRows).flatMap((row) => Object.keys(row)))];
  const shown = columns.slice(0, maxColumns);
  const cells = rows
    .slice(0, maxRows)
    .map((row) => shown.map((name) => cut(cellText(row, name), maxCell)));
  const size = cells.flat().reduce((sum, cell) => sum + cell.length, shown.join("").length);
  if (size > page.left) {
    page.isCut = true;
    return;
  }
  page.left -= size;
  page.isCut ||= columns.length > maxColumns || rows.length > maxRows;
  if (rows.length > maxRows) page.cutRows ??= { shown: maxRows, total: rows.length };
  page.blocks.push({
    kind: "table",
    columns: shown.map((name) => cut(name, maxCell)),
    rows: cells,
  });
}

function cellText(row: JsonObject, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  return value === undefined ? "" : inWords(value).replaceAll(/\s+/g, " ");
}

function showList(page: Page, named: Named, items: readonly Json[]): void {
  const texts = items.slice(0, maxItems).map(inWords);
  page.isCut ||= items.length > maxItems;
  const line = texts.join(", ");
  if (line.length <= maxShort && !named.isAlone) return addField(page, named, line);
  heading(page, named);
  add(page, "text", texts.map((text) => `• ${cut(text, maxShort)}`).join("\n"));
}

function addField(page: Page, { label, isAlone }: Named, value: string): void {
  if (isAlone) return add(page, "text", value);
  const field = { label: cut(label, 100), value: cut(value, maxShort) };
  page.isCut ||= field.value !== value;
  const size = field.label.length + field.value.length;
  if (size > page.left || page.fields.length + page.blocks.length >= maxParts) {
    page.isCut = true;
    return;
  }
  page.left -= size;
  page.fields.push(field);
}

/** Groups short values before the next block. */
function flushFields(page: Page): void {
  if (page.fields.length === 0) return;
  page.blocks.push({ kind: "fields", fields: page.fields });
  page.fields = [];
}

function heading(page: Page, { label, isAlone }: Named): void {
  flushFields(page);
  if (!isAlone) page.blocks.push({ kind: "text", text: `${cut(label, 100)}:` });
}

function add(page: Page, kind: "text" | "markdown" | "code", text: string): void {
  flushFields(page);
  const most = Math.min(maxTextLength, page.left);
  if (most <= 1 || page.blocks.length > maxParts) {
    page.isCut = true;
    return;
  }
  const shown = cut(text, most);
  page.isCut ||= shown !== text;
  page.left -= shown.length;
  page.blocks.push({ kind, text: shown });
}

function isShort(value: Json): boolean {
  if (value === null || typeof value !== "object") {
    return typeof value !== "string" || (value.length <= maxShort && !value.includes("\n"));
  }
  return false;
}

function inWords(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return messages.none;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

function looksLikeCode(text: string): boolean {
  return /^\s*[<{[]/.test(text) || /\n(?: {2}|\t)/.test(text);
}

function fileIn({
  fileId,
  fileName,
}: JsonObject): { fileId: string; fileName: string } | undefined {
  if (typeof fileId !== "string" || typeof fileName !== "string") return undefined;
  return { fileId, fileName: cut(fileName, 200) };
}

const maxEmbedded = 5_000_000;
const fileExtensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** An image that is embedded in the output. */
function embeddedFile(label: string, text: string): OutputFile | undefined {
  if (text.length > maxEmbedded) return undefined;
  const name = label.replaceAll(/[^\w-]+/g, "_").slice(0, 60) || "image";
  const [, type, base64] = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/=\s]+)$/.exec(text) ?? [];
  const extension = type === undefined ? undefined : fileExtensions[type];
  if (type !== undefined && base64 !== undefined && extension !== undefined) {
    const body = Buffer.from(base64, "base64");
    return { fileName: `${name}.${extension}`, mimeType: type, body };
  }
  if (!/^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(text)) return undefined;
  return { fileName: `${name}.svg`, mimeType: "image/svg+xml", body: Buffer.from(text) };
}
