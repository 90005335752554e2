import { findOriginals } from "./source-map.ts";

const frame = /\btool\.js:(\d+):(\d+)/g;

/**
 * A stack trace with places in the bundle turned into places in the author's file, by a source map
 * (version 3). Places that the map does not know stay as they are.
 */
export function mapStack(stack: string, sourceMap: string, sourceFile: string): string {
  const frames = [...stack.matchAll(frame)];
  if (sourceMap === "" || frames.length === 0) return stack;
  const originals = findOriginals(
    sourceMap,
    frames.map(([, line, column]) => ({ line: Number(line) - 1, column: Number(column) - 1 })),
  ).values();
  return stack.replace(frame, (place) => {
    const original = originals.next().value;
    if (original === undefined) return place;
    const { source, line, column } = original;
    const file = source.includes("node_modules/")
      ? source.slice(source.lastIndexOf("node_modules/"))
      : sourceFile;
    return `${file}:${line + 1}:${column + 1}`;
  });
}
