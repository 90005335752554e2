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

/** The text can contain the characters that mark styles. */
function withStyle(text: string): string {
  const line = text.replaceAll(
    /[\uE000-\uE00F]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16)}`,
  );
  if (line.startsWith("+")) return styled("green", line);
  return line.startsWith("-") ? styled("red", line) : line;
}
