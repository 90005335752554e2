import { formatNumber } from "./format.ts";

/** Texts of values. */
export const valueMessages = {
  none: "None",
  yes: "Yes",
  no: "No",
  empty: "Empty",
  emptyList: "Empty list",
  plainText: "View as plain text",
  more: (count: number, left: number) => `Show ${count} more (${formatNumber(left)} left)`,
  moreText: (left: number) => `Show more (${formatNumber(left)} characters left)`,
};

/** Texts of an output as a whole. */
export const outputMessages = {
  empty: "No output",
  json: "View as JSON",
  allAsJson: (count: number) => `View all ${formatNumber(count)} values as JSON`,
  copy: "Copy JSON",
  save: "Download JSON",
};

/** Texts of tables. */
export const tableMessages = {
  caption: (name: string, rows: number, hiddenColumns: number) => {
    const size = `${name}: ${formatNumber(rows)} ${rows === 1 ? "row" : "rows"}`;
    return hiddenColumns === 0 ? size : `${size}, ${hiddenColumns} more columns in the JSON view`;
  },
  more: (count: number, left: number) => `Show ${count} more rows (${formatNumber(left)} left)`,
  save: "Download CSV",
};

/** Texts of JSON as a tree. */
export const treeMessages = {
  items: (count: number) => `${count} ${count === 1 ? "item" : "items"}`,
  fields: (count: number) => `${count} ${count === 1 ? "field" : "fields"}`,
};

/** Texts of files and images. */
export const fileMessages = {
  download: (fileName: string) => `Download ${fileName}`,
  imageBlocked: (name: string) => `Image ${name} can't be displayed here. `,
};

/** Texts within Markdown. */
export const markdownMessages = {
  image: (alt: string) => (alt === "" ? "Image" : `Image: ${alt}`),
  table: "Table",
  hiddenLines: (count: number) => `${formatNumber(count)} more lines not shown`,
};
