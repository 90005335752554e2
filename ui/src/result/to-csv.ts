import { own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

/** Formats rows as CSV (RFC 4180), with a column for each member name in any row. */
export function toCsv(rows: readonly JsonObject[]): string {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  const names = [...columns];
  const lines = rows.map((row) => names.map((name) => cellOf(own(row, name))).join(","));
  // Without a byte order mark, some spreadsheets do not detect UTF-8.
  return `\uFEFF${[names.map((name) => cellOf(name)).join(","), ...lines].join("\r\n")}\r\n`;
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Spreadsheets run cells that start like this as formulas, and the tool's output is untrusted.
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
