import { own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

/** Rows as a table that spreadsheets read (RFC 4180): a column for each name, with all there is in each row. */
export function toCsv(rows: readonly JsonObject[]): string {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  const names = [...columns];
  const lines = rows.map((row) => names.map((name) => cellOf(own(row, name))).join(","));
  // Without the mark some spreadsheets take UTF-8 for something else.
  return `\uFEFF${[names.map((name) => cellOf(name)).join(","), ...lines].join("\r\n")}\r\n`;
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A spreadsheet would run what begins like this, and the tool's words are anybody's.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
