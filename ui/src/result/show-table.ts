import { button, h, newElementId } from "../dom.ts";
import { own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { ResultHost } from "./links.ts";
import { tableMessages } from "./messages.ts";
import { toCsv } from "./to-csv.ts";

const atOnce = 100;
const maxColumns = 60;
const searchedRows = 1_000;

type TableOptions = {
  caption: string;
  /** Shows what is in a cell. */
  showCell: (value: Json) => Node | string;
  save: ResultHost["save"];
};

/** Rows of objects with a column for each of their names; a long table grows as somebody asks for more. */
export function showTable(
  rows: readonly JsonObject[],
  { caption, showCell, save }: TableOptions,
): HTMLElement {
  const columns = columnsOf(rows);
  const shown = columns.slice(0, maxColumns);
  const id = newElementId();
  const head = h(
    "tr",
    {},
    ...shown.map((name) => h("th", { scope: "col", class: classOf(rows[0], name) }, name)),
  );
  const body = h("tbody");
  const text = tableMessages.caption(caption, rows.length, columns.length - shown.length);
  const table = h("table", {}, h("caption", { id }, text), h("thead", {}, head), body);
  const frame = h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": id },
    table,
  );
  const more = button("", () => append(), { class: "tool" });
  const saveAll = () =>
    save?.({ name: `${fileNameOf(caption)}.csv`, type: "text/csv", text: toCsv(rows) });
  const saveButton = button(tableMessages.save, saveAll, {
    class: "tool",
    hidden: save === undefined,
  });
  const append = () => {
    const from = body.rows.length;
    for (const row of rows.slice(from, from + atOnce)) body.append(makeRow(row, shown, showCell));
    const rest = rows.length - body.rows.length;
    more.hidden = rest === 0;
    more.textContent = tableMessages.more(Math.min(rest, atOnce), rest);
  };
  append();
  return h("div", {}, frame, h("div", { class: "tools" }, more, saveButton));
}

/** The name may be anything: only what every system takes is left of it. */
function fileNameOf(caption: string): string {
  return caption.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "table";
}

function makeRow(
  row: JsonObject,
  columns: readonly string[],
  showCell: TableOptions["showCell"],
): HTMLElement {
  const cells = columns.map((name) => {
    const value = own(row, name);
    return h("td", { class: classOf(row, name) }, value === undefined ? "" : showCell(value));
  });
  return h("tr", {}, ...cells);
}

/** Numbers stand below each other by their last digit. */
function classOf(row: JsonObject | undefined, name: string): string | undefined {
  return typeof own(row ?? {}, name) === "number" ? "number" : undefined;
}

/** Every name that one of the first rows has, in the order in which they come. */
function columnsOf(rows: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, searchedRows)) {
    for (const name of Object.keys(row)) names.add(name);
  }
  return [...names];
}
