import { expect, test } from "vitest";
import { analyzeText } from "./analyze.ts";

test.each([
  ["getHTTPResponse_code", ["get", "http", "respons", "code"]],
  ["mergePDFs into PDFs", ["merg", "pdf", "pdf"]],
  ["URLsToHTMLFile", ["url", "html", "file"]],
  ["iso8601 dates", ["iso", "8601", "date"]],
  ["the user's e-books", ["user", "e", "book"]],
  ["don't know", ["know"]],
  ["ﬁnance ＡＰＩ", ["financ", "api"]],
  ["Größe Ärzte", ["größe", "ärzte"]],
  ["天気予報API", ["天気", "気予", "予報", "api"]],
  ["猫。犬", ["猫", "犬"]],
  ["us may", ["us", "mai"]],
  ["\ud800lone\udc00", ["lone"]],
  ["", []],
])("splits %j into %j with analyzeText", (text, terms) => {
  expect(analyzeText(text)).toEqual(terms);
});

test("stems repetitive words in analyzeText without backtracking", () => {
  const startedAt = performance.now();
  for (const part of ["y", "ya", "yab", "eyed", "ational", "sses", "yyiness"])
    analyzeText(part.repeat(20_000));
  for (let length = 3; length <= 40; length += 1) {
    for (const part of ["y", "ya", "ay", "yb", "ys"])
      analyzeText(`${part.repeat(length).slice(0, length)}ement`);
  }
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test.each([
  ["\u0301".repeat(5_000) + "\u0327".repeat(5_000)],
  ["\u0301\u0327".repeat(5_000)],
  ["\u0301".repeat(5_000) + "\uff9e".repeat(5_000)],
])("sorts only a few marks of a letter in analyzeText", (marks) => {
  const before = process.threadCpuUsage();
  expect(analyzeText(`a${marks}`)).toHaveLength(1);
  expect(process.threadCpuUsage(before).user).toBeLessThan(40_000);
});
