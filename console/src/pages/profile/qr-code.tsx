import type { ReactNode } from "react";
import { encode } from "uqr";

/** The quiet zone that scanners need, in modules. */
const margin = 4;

/** A QR code. It is dark on light in every theme, because scanners need that. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const width = size + 2 * margin;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-lg bg-paper text-text"
      style={{ colorScheme: "light" }}
    >
      <path fill="currentColor" d={drawModules(data)} />
    </svg>
  );
}

/** Draws adjacent dark modules of a row as one rectangle. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue;
      const start = x;
      while (row[x + 1] === true) x += 1;
      const length = x - start + 1;
      path += `M${start + margin} ${y + margin}h${length}v1h-${length}z`;
    }
  }
  return path;
}
