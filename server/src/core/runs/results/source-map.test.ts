import { SourceMap } from "node:module";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { findOriginals } from "./source-map.ts";

const code = `export const sum = (a: number, b: number): number => {
  type Unused = string;
  return a + b; // a comment
};

enum Color { Red, Green }
export default async function run({ a }: { a: Color }) {
  if (a === Color.Red) throw new Error("red");
  return [1, 2, 3].map((one) => ({ one, ...{ a } }));
}
`;

test.each([false, true])("finds the same positions as node:module (minified: %s)", (minify) => {
  const { code: made, map } = transformSync(code, {
    loader: "ts",
    sourcefile: "tool.ts",
    sourcemap: "external",
    minify,
  });
  const positions = made
    .split("\n")
    .flatMap((text, line) =>
      Array.from({ length: text.length + 1 }, (_, column) => ({ line, column })),
    );
  const known = new SourceMap(JSON.parse(map));
  const expected = positions.map(({ line, column }) => {
    const entry = known.findEntry(line, column);
    return "originalLine" in entry
      ? { source: entry.originalSource, line: entry.originalLine, column: entry.originalColumn }
      : undefined;
  });
  expect(expected.some((entry) => entry !== undefined)).toBe(true);
  expect(findOriginals(map, positions)).toEqual(expected);
  // In any order.
  expect(findOriginals(map, positions.toReversed())).toEqual(expected.toReversed());
});

test("accepts empty and broken maps", () => {
  expect(findOriginals("{}", [{ line: 0, column: 0 }])).toEqual([undefined]);
  expect(findOriginals('{"mappings":"AAAA;;!!!g"}', [{ line: 9, column: 0 }])).toHaveLength(1);
});
