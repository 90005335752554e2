import { expect, it } from "vitest";
import { textOfBlocks } from "../block-text.ts";
import { inputBlocks } from "./ask-to-confirm.ts";

it("names every attached file", () => {
  const names = ["a", "b", "c", "d"].map((letter) => letter.repeat(250));
  const list = [...names, "payroll.xlsx"].map((name) => ({
    id: name,
    name,
    mimeType: "text/plain",
    size: 1,
  }));
  const toolRequest = { toolName: "t", version: 1, input: {}, attached: { files: list }, text: "" };
  const shown = textOfBlocks(inputBlocks(toolRequest, "{}"));
  expect(shown).toContain(names[3]);
  expect(shown).toContain("payroll.xlsx");
});
