import { button, h, newElementId } from "../dom.ts";
import { own } from "@toolhost/tool-schema/json";
import { humanizeKey } from "@toolhost/tool-schema";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { ResultHost } from "./link.ts";
import * as messages from "./messages.ts";
import { toCsv } from "./to-csv.ts";

const pageSize = 100;
const maxColumns = 60;
/** Columns are those of the first rows. */
const maxHeaderRows = 1_000;

type TableOptions = {
  caption: string;
  /** Renders the value of a cell. */
  renderCell: (value: Json) => Node | string;
  save: ResultHost["save"];
};

/** Renders objects as a table with a column for each member name. Long tables are shown page by page. */
export function renderTable(
  rows: readonly JsonObject[],
  { caption, renderCell, save }: TableOptions,
): HTMLElement {
  const columns = columnsOf(rows);
  const visible = columns.slice(0, maxColumns);
  const id = newElementId();
  const head = h(
    "tr",
    {},
    ...visible.map((name) =>
      h("th", { scope: "col", title: name, class: classOf(rows[0], name) }, humanizeKey(name)),
    ),
  );
  const body = h("tbody");
  const text = messages.tableCaption(caption, rows.length, columns.length - visible.length);
  const table = h("table", {}, h("caption", { id }, text), h("thead", {}, head), body);
  const frame = h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": id },
    table,
  );
  const more = button("", () => append(), { class: "small" });
  const saveAll = () =>
    save?.({ name: `${fileNameOf(caption)}.csv`, type: "text/csv", text: toCsv(rows) });
  const saveButton = button(messages.downloadCsv, saveAll, {
    class: "small",
    hidden: save === undefined,
  });
  const append = () => {
    const from = body.rows.length;
    for (const row of rows.slice(from, from + pageSize))
      body.append(createRow(row, visible, renderCell));
    const left = rows.length - body.rows.length;
    more.hidden = left === 0;
    more.textContent = messages.showMoreRows(Math.min(left, pageSize), left);
  };
  append();
  return h("div", {}, frame, h("div", { class: "tools" }, more, saveButton));
}

/** Removes characters that some file systems do not allow. */
function fileNameOf(caption: string): string {
  return caption.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "table";
}

function createRow(
  row: JsonObject,
  columns: readonly string[],
  renderCell: TableOptions["renderCell"],
): HTMLElement {
  const cells = columns.map((name) => {
    const value = own(row, name);
    return h("td", { class: classOf(row, name) }, value === undefined ? "" : renderCell(value));
  });
  return h("tr", {}, ...cells);
}

/** Numbers are right-aligned. */
function classOf(row: JsonObject | undefined, name: string): string | undefined {
  return typeof own(row ?? {}, name) === "number" ? "number" : undefined;
}

/** The member names of the first rows, in order of appearance. */
function columnsOf(rows: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, maxHeaderRows)) {
    for (const name of Object.keys(row)) names.add(name);
  }
  return [...names];
}
