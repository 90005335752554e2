import { structuredPatch } from "diff";
import { styled } from "../terminal/text.ts";

/** Beyond it, finding the shortest difference would take seconds; the text is then shown as replaced. */
const maxEditLength = 1_000;

/** The difference of two texts as unified diff, with styles. Empty if they are the same. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const options = { context: 3, maxEditLength };
  const patch = structuredPatch("", "", before, after, "", "", options);
  if (patch === undefined) return [...mark("-", before), ...mark("+", after)].map(withStyle);
  return patch.hunks.flatMap(({ newStart, lines }) => [
    ...(newStart > 1 ? [styled("cyan", `@@ line ${newStart} @@`)] : []),
    ...lines.map(withStyle),
  ]);
}

const mark = (sign: "+" | "-", text: string) =>
  text === "" ? [] : text.split("\n").map((line) => `${sign}${line}`);

function withStyle(line: string): string {
  if (line.startsWith("+")) return styled("green", line);
  return line.startsWith("-") ? styled("red", line) : line;
}
