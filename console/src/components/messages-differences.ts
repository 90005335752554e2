/** Texts of the comparison of two definitions. */
export const messages = {
  none: "No changes",
  region: (part: string) => `Changes to ${part}`,
  lines: (part: string) => `${part}, line by line`,
  count: (added: number, removed: number) => `${added} added, ${removed} removed`,
  unchanged: (count: number) => (count === 1 ? "1 unchanged line" : `${count} unchanged lines`),
  added: "added: ",
  removed: "removed: ",
} as const;
