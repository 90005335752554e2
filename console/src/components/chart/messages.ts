/** Texts of charts. */
export const messages = {
  table: "Show as table",
  download: "Download CSV",
  downloadOf: (title: string) => `Download CSV of ${title}`,
  none: "–",
} as const;
