import { SourceMap } from "node:module";

const frame = /\btool\.js:(\d+):(\d+)/g;

/**
 * A stack trace with places in the bundle turned into places in the author's file, by a source map
 * (version 3). Places that the map does not know stay as they are.
 */
export function mapStack(stack: string, sourceMap: string, sourceFile: string): string {
  if (sourceMap === "" || stack.search(frame) === -1) return stack;
  const map = new SourceMap(JSON.parse(sourceMap));
  return stack.replace(frame, (place, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalLine" in entry)) return place;
    const file = entry.originalSource.includes("node_modules/")
      ? entry.originalSource.slice(entry.originalSource.lastIndexOf("node_modules/"))
      : sourceFile;
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
