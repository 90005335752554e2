import type { ToolDetail } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { toArchive } from "#lib/tool-folders";
import { isArchive, readArchive } from "./read-archive.ts";
import { filesByPath, readFolder } from "./read-folder.ts";

function folderOf(files: Record<string, string>): Map<string, File> {
  const listed = Object.entries(files).map(([path, text]) => {
    const file = new File([text], path.split("/").at(-1) ?? "");
    Object.defineProperty(file, "webkitRelativePath", { value: path });
    return file;
  });
  return filesByPath(listed);
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

describe("readArchive", () => {
  const tool = {
    name: "weather_k2p9",
    title: "Weather",
    examples: [{ input: {} }],
    source: { language: "typescript", code: "export default 'ä'.repeat(600);\n" },
  } as unknown as ToolDetail;
  const pack = async (bytes: Blob) => new File([bytes], "weather.tar.gz");

  it("reads what an export of a tool contains", async () => {
    const archive = await pack(await toArchive([tool]));
    expect(isArchive(archive)).toBe(true);
    expect(await readFolder(await readArchive(archive))).toMatchObject({
      title: "Weather",
      examples: [{ input: {} }],
      source: tool.source,
    });
  });

  it("throws for a file that is no archive, is cut off, or unpacks to too much", async () => {
    const whole = await toArchive([tool]);
    const gzip = (bytes: Uint8Array<ArrayBuffer>) =>
      new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
    const refused = async (bytes: Blob) => readArchive(await pack(bytes));
    await expect(refused(new Blob(["no archive"]))).rejects.toThrow("not a readable .tar.gz");
    await expect(refused(whole.slice(0, whole.size - 40))).rejects.toThrow("not a readable");
    await expect(refused(await gzip(new Uint8Array(600).fill(65)))).rejects.toThrow(
      "not a readable",
    );
    await expect(refused(await gzip(new Uint8Array(17_000_000)))).rejects.toThrow("16 MiB");
    await expect(
      readArchive(await pack(await toArchive([tool, { ...tool, name: "b_k2p9" }]))).then(
        readFolder,
      ),
    ).rejects.toThrow("several tools");
  });
});
