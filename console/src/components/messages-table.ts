/** Texts of tables, their filters and saved views. */
export const messages = {
  columns: "Columns",
  total: (count: number, isExact: boolean) =>
    `${count.toLocaleString()}${isExact ? "" : "+"} ${count === 1 ? "item" : "items"}`,
  filters: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
  clear: "Clear filters",
  actions: "Actions",
  views: "Views",
  saveView: "Save view",
  viewName: "Name",
  save: "Save",
  deleteView: (name: string) => `Delete view ${name}`,
} as const;
