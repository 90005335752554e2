import { formatNumber } from "./format.ts";

/** Texts of values. */
export const none = "None";
export const yes = "Yes";
export const no = "No";
export const empty = "Empty";
export const emptyList = "Empty list";
export const viewAsText = "View as plain text";
export const showMore = (count: number, left: number) =>
  `Show ${count} more (${formatNumber(left)} left)`;
export const showMoreText = (left: number) => `Show more (${formatNumber(left)} characters left)`;

/** Texts of an output as a whole. */
export const noOutput = "No output";
export const viewAsJson = "View as JSON";
export const viewAllAsJson = (count: number) => `View all ${formatNumber(count)} values as JSON`;
export const copyJson = "Copy JSON";
export const downloadJson = "Download JSON";

/** Texts of tables. */
export const tableCaption = (name: string, rows: number, hiddenColumns: number) => {
  const size = `${name}: ${formatNumber(rows)} ${rows === 1 ? "row" : "rows"}`;
  return hiddenColumns === 0 ? size : `${size}, ${hiddenColumns} more columns in the JSON view`;
};
export const showMoreRows = (count: number, left: number) =>
  `Show ${count} more rows (${formatNumber(left)} left)`;
export const downloadCsv = "Download CSV";

/** Texts of JSON as a tree. */
export const itemCount = (count: number) => `${count} ${count === 1 ? "item" : "items"}`;
export const fieldCount = (count: number) => `${count} ${count === 1 ? "field" : "fields"}`;

/** Texts of files and images. */
export const downloadFile = (fileName: string) => `Download ${fileName}`;
export const imageBlocked = (name: string) => `Image ${name} can't be displayed here. `;

/** Texts within Markdown. */
export const linkedImage = (alt: string) => (alt === "" ? "Image" : `Image: ${alt}`);
export const table = "Table";
export const hiddenLines = (count: number) => `${formatNumber(count)} more lines not shown`;
