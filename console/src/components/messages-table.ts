/** What the rows of a table are, in singular and plural. */
export type Noun = readonly [one: string, many: string];

/** Texts of tables, their filters and saved views. */
export const messages = {
  columns: "Columns",
  total: (count: number, isExact: boolean, [one, many]: Noun) =>
    `${count.toLocaleString()}${isExact ? "" : "+"} ${count === 1 ? one : many}`,
  label: (column: string) => `${column}:`,
  filters: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
  expired: "Expired",
  never: "Never",
  clear: "Clear filters",
  actions: "Actions",
  views: "Views",
  saveView: "Save view",
  viewName: "Name",
  save: "Save",
  deleteView: (name: string) => `Delete view ${name}`,
} as const;
