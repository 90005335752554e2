import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseDefinition } from "./definition.ts";
import { writeEditorFiles } from "./editor-files.ts";
import { deleteLocalTool, listFolders, readLocalTool, writeLocalTool } from "./local-tools.ts";
import type { Project } from "./project.ts";

let project: Project;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "toolhost-local-"));
  project = { root, toolsDir: join(root, "tools"), settings: { tools: "tools" } };
});
afterEach(() => rm(project.root, { recursive: true }));

const definitionIn = (language: "javascript" | "typescript") =>
  parseDefinition(
    {
      title: "Hello",
      description: "A tool of a test.",
      inputSchema: { type: "object" },
      source: { language, code: "export default () => 1;\n" },
      examples: [],
    },
    "hello",
  );
const pathOf = (...parts: string[]) => join(project.toolsDir, "hello", ...parts);
const filesOf = async (...parts: string[]) => (await readdir(pathOf(...parts))).toSorted();

describe("local tools", () => {
  it("rejects a symbolic link in the place of a folder", async () => {
    await mkdir(join(project.root, "shared"));
    await mkdir(project.toolsDir);
    await symlink("../shared", join(project.toolsDir, "hello"));
    await expect(listFolders(project)).rejects.toThrow("is not a folder");
  });

  it("ignores files that cannot be tools", async () => {
    await mkdir(pathOf(), { recursive: true });
    await writeFile(join(project.toolsDir, "README.md"), "");
    await symlink("..", join(project.toolsDir, "node_modules"));
    expect(await listFolders(project)).toEqual(["hello"]);
  });

  it("keeps the user's file with the name of another language", async () => {
    await writeLocalTool(project, "hello", definitionIn("typescript"));
    await writeFile(pathOf("tool.js"), "// mine");
    await writeLocalTool(project, "hello", definitionIn("typescript"));
    expect(await filesOf()).toEqual(["tool.js", "tool.json", "tool.ts"]);
    await expect(writeLocalTool(project, "hello", definitionIn("javascript"))).rejects.toThrow(
      "would be overwritten",
    );
    expect(await readFile(pathOf("tool.js"), "utf8")).toBe("// mine");
  });

  it("keeps files whose content is the same, in the user's format", async () => {
    const definition = definitionIn("typescript");
    await writeLocalTool(project, "hello", definition);
    const settings = JSON.parse(await readFile(pathOf("tool.json"), "utf8")) as object;
    const turned = Object.fromEntries(Object.entries(settings).toReversed());
    const text = JSON.stringify({ ...turned, confirm: false }, null, "\t").replaceAll("\n", "\r\n");
    const code = definition.source.code.replaceAll("\n", "\r\n");
    await writeFile(pathOf("tool.json"), text);
    await writeFile(pathOf("tool.ts"), code);
    await writeLocalTool(project, "hello", definition);
    expect(await readFile(pathOf("tool.json"), "utf8")).toBe(text);
    expect(await readFile(pathOf("tool.ts"), "utf8")).toBe(code);
    const source = { ...definition.source, code: "export default () => 2;\n" };
    await writeLocalTool(project, "hello", { ...definition, source });
    expect(await readFile(pathOf("tool.json"), "utf8")).toBe(text);
    expect(await readFile(pathOf("tool.ts"), "utf8")).toBe(source.code);
    await writeLocalTool(project, "hello", { ...definition, title: "Other" });
    expect((await readLocalTool(project, "hello"))?.definition.title).toBe("Other");
  });

  it("keeps the order of members in tool.json when it changes", async () => {
    const definition = definitionIn("typescript");
    await writeLocalTool(project, "hello", definition);
    const text = `{
  "title": "Hello",
  "inputSchema": {
    "properties": {
      "b": {
        "type": "string",
        "description": "B."
      },
      "a": {
        "type": "string"
      }
    },
    "type": "object",
    "required": []
  },
  "description": "A tool of a test.",
  "source": {
    "language": "typescript"
  }
}
`;
    await writeFile(pathOf("tool.json"), text);
    const b = { description: "B.", type: "string" } as const;
    const a = { type: "string" } as const;
    const inputSchema = { type: "object", required: [], properties: { a, b } } as const;
    const changed = parseDefinition({ ...definition, inputSchema, title: "Other" }, "hello");
    await writeLocalTool(project, "hello", changed);
    const written = await readFile(pathOf("tool.json"), "utf8");
    expect(written.replace(/^ {2}"\$schema".*\n/m, "")).toBe(text.replace("Hello", "Other"));
  });

  it("replaces the code when the language changes", async () => {
    await writeLocalTool(project, "hello", definitionIn("typescript"));
    await writeLocalTool(project, "hello", definitionIn("javascript"));
    expect(await filesOf()).toEqual(["tool.js", "tool.json"]);
  });

  it("writes files for editors again, but not over those of the user", async () => {
    const definition = definitionIn("typescript");
    await writeLocalTool(project, "hello", definition);
    await writeFile(pathOf("tsconfig.json"), "{}");
    await writeEditorFiles(project, "hello", definition);
    await writeEditorFiles(project, "hello", { ...definition, fileFields: ["photo"] as never });
    expect(await readFile(pathOf("tsconfig.json"), "utf8")).toBe("{}");
    await deleteLocalTool(project, "hello");
    expect(await filesOf()).toEqual(["tsconfig.json"]);
  });

  it("deletes only the files of the tool", async () => {
    const definition = definitionIn("typescript");
    await writeLocalTool(project, "hello", definition);
    await writeEditorFiles(project, "hello", definition);
    await mkdir(pathOf("examples"));
    await writeFile(pathOf("examples", "one.json"), "{}");
    await writeFile(pathOf("examples", "photo.csv"), "a,b");
    await deleteLocalTool(project, "hello");
    expect(await filesOf()).toEqual(["examples"]);
    expect(await filesOf("examples")).toEqual(["photo.csv"]);
    expect(await readLocalTool(project, "hello")).toBeUndefined();
  });

  it("deletes the folder if nothing else is in it", async () => {
    const definition = definitionIn("typescript");
    await writeLocalTool(project, "hello", definition);
    await writeEditorFiles(project, "hello", definition);
    await deleteLocalTool(project, "hello");
    expect(await readdir(project.toolsDir)).toEqual([]);
  });
});
