import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareRuntimeFolder } from "./runtime-folder.ts";

describe("prepareRuntimeFolder", () => {
  let parent: string;
  let victim: string;
  let root: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "runtime-folder-"));
    victim = join(parent, "victim");
    mkdirSync(victim);
    writeFileSync(join(victim, "data"), "important");
    root = join(parent, "sandbox");
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const prepare = (folder = root) => prepareRuntimeFolder(folder, 64 * 1024 * 1024);

  it("deletes no folder that a file in the folder names", () => {
    mkdirSync(root);
    writeFileSync(join(root, "sockets-are-in"), victim);
    prepare().remove();
    expect(readdirSync(victim)).toEqual(["data"]);
  });

  it("does not follow a link in place of the folder, or in it", () => {
    symlinkSync(victim, root);
    prepare();
    symlinkSync(victim, join(root, "app", "link"));
    prepare().remove();
    expect(readdirSync(victim)).toEqual(["data"]);
  });

  it("removes the sockets of an earlier process from the temporary folder", () => {
    const long = join(root, "x".repeat(100));
    const first = prepare(long);
    const second = prepare(long);
    expect(existsSync(first.socketRoot)).toBe(false);
    expect(existsSync(second.socketRoot)).toBe(true);
    second.remove();
    expect(existsSync(second.socketRoot)).toBe(false);
  });

  it("keeps a link that has the name of a socket folder", () => {
    const long = join(root, "y".repeat(100));
    const { socketRoot } = prepare(long);
    const planted = `${socketRoot.slice(0, -6)}linked`;
    symlinkSync(victim, planted);
    try {
      prepare(long).remove();
      expect(readdirSync(victim)).toEqual(["data"]);
    } finally {
      rmSync(planted);
    }
  });
});
