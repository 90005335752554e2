import { expect, it } from "vitest";
import { quote } from "./quote.ts";

it.each([
  ["add_numbers_k3x9", "`add_numbers_k3x9`"],
  ["", "``"],
  ["a`b\r\n\u202ec", "`a\ufffdb\ufffd\ufffd\ufffdc`"],
  ["\ud800", "`\ufffd`"],
  ["x".repeat(64), `\`${"x".repeat(64)}\``],
  ["x".repeat(65), `\`${"x".repeat(64)}…\``],
  [`${"x".repeat(63)}👍`, `\`${"x".repeat(63)}\ufffd…\``],
])("quotes %j", (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
