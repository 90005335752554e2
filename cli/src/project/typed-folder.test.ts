import { join } from "node:path";
import { expect, it } from "vitest";
import { toFolder } from "./typed-folder.ts";

const root = join("/", "home", "ada", "project");
const toolsDir = join(root, "tools");
const project = { root, toolsDir, settings: { tools: "tools" } };

it.each([
  ["hello", root, "hello"],
  ["tools/hello", root, "hello"],
  ["./tools/hello/", root, "hello"],
  [join(toolsDir, "hello"), "/", "hello"],
  [".", join(toolsDir, "hello"), "hello"],
  ["../other", join(toolsDir, "hello"), "other"],
  ["hello/", toolsDir, "hello"],
])("resolves %s in %s", (typed, cwd, folder) => {
  expect(toFolder(project, cwd, typed)).toBe(folder);
});

it.each([".", "tools", "tools/hello/examples", "../hello", "/etc/passwd"])(
  "leaves %s as it is, because it is no folder of a tool",
  (typed) => {
    expect(toFolder(project, root, typed)).toBe(typed);
  },
);
