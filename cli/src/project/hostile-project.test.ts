import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeToolSchema } from "./editor-files.ts";
import { renameLocalTool } from "./local-tools.ts";
import { readLock } from "./lock-file.ts";
import { requireProject } from "./project.ts";

let scratch: string;
let root: string;

beforeEach(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "toolhost-cli-")));
  root = join(scratch, "project");
  await mkdir(join(root, "tools"), { recursive: true });
  await mkdir(join(scratch, "outside"));
  await writeFile(join(root, "toolhost.json"), "{}");
});
afterEach(() => rm(scratch, { recursive: true }));

describe("a project", () => {
  it("moves no folder from outside of the tools", async () => {
    const project = await requireProject(root);
    await expect(renameLocalTool(project, "../../outside", "stolen")).rejects.toThrow(
      "cannot be a folder",
    );
    expect(await readdir(scratch)).toContain("outside");
  });

  it.each(["link", "link/new", "link/new/deep", "dangling", "dangling/new"])(
    "refuses the folder of tools %s, which a link leads elsewhere",
    async (tools) => {
      await symlink(join(scratch, "outside"), join(root, "link"));
      await symlink(join(scratch, "missing"), join(root, "dangling"));
      await writeFile(join(root, "toolhost.json"), JSON.stringify({ tools }));
      await expect(requireProject(root)).rejects.toThrow("outside of the project");
    },
  );

  it("reads no file that a link leads to", async () => {
    await rm(join(root, "toolhost.json"));
    await writeFile(join(scratch, "other.json"), "{}");
    await symlink(join(scratch, "other.json"), join(root, "toolhost.json"));
    await expect(requireProject(root)).rejects.toThrow("not a regular file");
    await symlink(join(scratch, "other.json"), join(root, "toolhost.lock.json"));
    await expect(readLock(root)).rejects.toThrow("not a regular file");
  });

  it("refuses a link in place of the state folder", async () => {
    await symlink(join(scratch, "outside"), join(root, ".toolhost"));
    await expect(requireProject(root)).rejects.toThrow(".toolhost is not a folder");
    // `init` writes there before there is a project.
    await expect(writeToolSchema(root)).rejects.toThrow(".toolhost is not a folder");
    expect(await readdir(join(scratch, "outside"))).toEqual([]);
  });
});

describe("the lock file", () => {
  const lock = (content: object) =>
    writeFile(join(root, "toolhost.lock.json"), JSON.stringify(content));

  it("is refused if a newer version wrote it", async () => {
    await lock({ lockVersion: 2, tools: {} });
    await expect(readLock(root)).rejects.toThrow("written by a newer version");
    await lock({ lockVersion: 1, tools: {} });
    expect(await readLock(root)).toEqual(new Map());
  });
});
