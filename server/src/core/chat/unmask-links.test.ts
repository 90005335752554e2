import { expect, it } from "vitest";
import { unmaskLinks } from "./unmask-links.ts";

const evil = "https://evil.example";

it.each([
  ["a link", `[safe](${evil})`],
  ["an image", `![safe](${evil}/pixel.png)`],
  ["brackets within", `[a [b] c](${evil})`],
  ["many brackets within", `[a [b [c [d]]]](${evil})`],
  ["a bracket that was escaped", String.raw`[a \] b](${evil})`],
  ["code in its words", `[\`a\`](${evil})`],
  ["an address in angle brackets", `[safe](<${evil}>)`],
  ["a title", `[safe](${evil} "https://good.example")`],
  ["words over lines", `[safe\nand\nsound](${evil})`],
  ["an image in a link", `[![safe](${evil}/a.png)](${evil})`],
  ["a reference", `[safe][1]\n\n[1]: ${evil}`],
  ["a reference by its own words", `[safe]\n\n   [safe]:\n${evil}\n"title"`],
  ["a reference that is an image", `![safe][x]\n\n[x]: <${evil}>`],
  ["invisible characters in between", `[safe]\u200B(${evil}) [safe]\u2060\u00AD(${evil})`],
  ["a control character in between", `[safe]\u0000(${evil})\n\n[1]\u0008: ${evil}`],
])("shows the URL of %s", (_, markdown) => {
  const shown = unmaskLinks(markdown);
  // Neither kind of link may have anything between its closing bracket and what follows.
  expect(shown.replaceAll(/\p{C}/gu, "")).not.toMatch(/\][(:]/);
  expect(shown).toContain(evil);
  expect(unmaskLinks(shown)).toBe(shown);
});

it("leaves other text unchanged", () => {
  const text = `**bold** \`a[0]\` [1], [x] ${evil} - [ ] task\n> a: b (c)`;
  expect(unmaskLinks(text)).toBe(text);
});
