import { describe, expect, it } from "vitest";
import { readFolder } from "./read-folder.ts";

function folderOf(files: Record<string, string>): File[] {
  return Object.entries(files).map(([path, text]) => {
    const file = new File([text], path.split("/").at(-1) ?? "");
    Object.defineProperty(file, "webkitRelativePath", { value: path });
    return file;
  });
}

const settings = JSON.stringify({ $schema: "x", title: "Weather", source: { dependencies: {} } });

describe("readFolder", () => {
  it("joins settings, code and examples", async () => {
    const folder = folderOf({
      "weather/tool.json": settings,
      "weather/tool.ts": "export default 1;\r\n",
      "weather/examples/b.json": '{"input":{"b":1}}',
      "weather/examples/a.json": '{"input":{"a":1}}',
      "weather/examples/notes.txt": "x",
      "weather/other/tool.ts": "other",
    });
    expect(await readFolder(folder)).toEqual({
      title: "Weather",
      source: { dependencies: {}, language: "typescript", code: "export default 1;\n" },
      examples: [{ input: { a: 1 } }, { input: { b: 1 } }],
    });
  });

  it.each([
    [{}, "no tool.json"],
    [{ "a/tool.json": settings }, "neither tool.ts nor tool.js"],
    [{ "a/b/tool.json": settings, "a/c/tool.json": settings }, "several tools"],
    [{ "a/tool.json": "[]", "a/tool.js": "x" }, "a/tool.json is not a JSON object"],
    [{ "a/tool.json": "{", "a/tool.js": "x" }, "a/tool.json is not a JSON object"],
    [{ "a/tool.json": settings, "a/tool.js": "x".repeat(1_100_000) }, "larger than 1 MiB"],
  ])("throws for an unusable folder %#", async (files: Record<string, string>, message) => {
    await expect(readFolder(folderOf(files))).rejects.toThrow(message);
  });
});
