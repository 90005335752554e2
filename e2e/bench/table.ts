/** Pads columns to their widest cell, with text left-aligned and numbers right-aligned. */
export function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column < 2 && Number.isNaN(Number(cell))
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    );
  return rows.map((row) => line(row).join("  "));
}

/** Formats a number with fixed decimals, or a dash if undefined. */
export function fixed(value: number, digits = 2): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "-";
}
