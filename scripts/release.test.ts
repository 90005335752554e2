import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isHigher, prepare, releaseChanges } from "./release.ts";

const manifest = { name: "toolhost", version: "0.1.0", dependencies: { "@toolhost/x": "0.1.0" } };
const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify(manifest),
  "server/package.json": JSON.stringify({ name: "@toolhost/server", version: "0.1.0" }),
  "package-lock.json": JSON.stringify({ version: "0.1.0", packages: { "": manifest } }),
  "server/src/version.ts": 'export const version = "0.1.0";\n',
  "deploy/helm/toolhost/Chart.yaml": "version: 0.1.0\nappVersion: 0.1.0\n",
  "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- New\n",
};

describe("prepare", () => {
  let root: string;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root }).toString();
  const read = (path: string) => readFileSync(join(root, path), "utf8");

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "release-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git("init", "--quiet");
    git("add", "--all");
    git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "one");
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("writes the version into each file that contains it", () => {
    writeFileSync(join(root, "CHANGELOG.md"), `${files["CHANGELOG.md"]}- Newer\n`);
    prepare(root, "0.2.0", "2026-01-02");
    for (const path of Object.keys(files)) {
      expect(read(path)).toContain("0.2.0");
      expect(read(path)).not.toContain("0.1.0");
    }
  });

  it("changes nothing if other changes are not committed", () => {
    writeFileSync(join(root, "server/src/version.ts"), "changed");
    const before = git("diff");
    expect(() => prepare(root, "0.2.0", "2026-01-02")).toThrow("server/src/version.ts");
    expect(git("diff")).toBe(before);
  });

  it.each([
    ["0.1.0", "not higher"],
    ["0.0.9", "not higher"],
    ["0.1.0-beta.1", "not higher"],
    ["next", "Usage"],
    ["", "Usage"],
  ])("changes nothing for the version %j", (version, message) => {
    expect(() => prepare(root, version, "2026-01-02")).toThrow(message);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("changes nothing without unreleased changes", () => {
    writeFileSync(join(root, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n");
    const before = git("diff");
    expect(() => prepare(root, "0.2.0", "2026-01-02")).toThrow("no unreleased");
    expect(git("diff")).toBe(before);
  });
});

describe("isHigher", () => {
  it.each([
    ["0.10.0", "0.9.9", true],
    ["1.0.0", "1.0.0-beta.2", true],
    ["1.0.0-beta.10", "1.0.0-beta.9", true],
    ["1.0.0-beta.1", "1.0.0", false],
    ["1.0.0", "1.0.0", false],
  ])("compares %s with %s", (version, other, expected) => {
    expect(isHigher(version, other)).toBe(expected);
  });
});

describe("releaseChanges", () => {
  it("moves the unreleased changes below the version", () => {
    const before = "# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0\n\n- Old\n";
    expect(releaseChanges(before, "0.2.0", "2026-01-02")).toBe(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-01-02\n\n- New\n\n## 0.1.0\n\n- Old\n",
    );
  });

  it.each(["## Unreleased\n\n## 0.1.0\n\n- Old\n", "## Unreleased\n", "## 0.1.0\n"])(
    "throws without unreleased changes: %j",
    (text) => expect(() => releaseChanges(text, "0.2.0", "2026-01-02")).toThrow("no unreleased"),
  );
});
