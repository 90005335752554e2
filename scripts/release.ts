import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// Prepares a release in the working tree: node scripts/release.ts VERSION. It writes the version into every file that
// contains it, and turns the section `Unreleased` of CHANGELOG.md into that of the version. CONTRIBUTING.md lists what follows.

/** A `package.json`, or the lock file with its `packages`. */
type Package = { version: string; packages?: Record<string, Package> } & Record<string, unknown>;

const dependencyFields = ["dependencies", "devDependencies", "optionalDependencies"];

/** Sets the version of one of our packages, and of the others where it depends on them. */
function setVersion(manifest: Package, version: string): void {
  manifest.version = version;
  for (const field of dependencyFields) {
    const dependencies = manifest[field] as Record<string, string> | undefined;
    for (const name of Object.keys(dependencies ?? {})) {
      if (name.startsWith("@toolhost/") && dependencies !== undefined) dependencies[name] = version;
    }
  }
}

/** Returns the change log with the unreleased changes under a version. Throws if there are none. */
export function releaseChanges(text: string, version: string, date: string): string {
  const [, changes = ""] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  if (changes.trim() === "") throw new Error("CHANGELOG.md has no unreleased changes");
  return text.replace("## Unreleased\n", () => `## Unreleased\n\n## ${version} - ${date}\n`);
}

/** Whether a version comes after another one. A pre-release comes before its release. */
export function isHigher(version: string, other: string): boolean {
  const [one, two] = [orderOf(version), orderOf(other)];
  const at = one.findIndex((part, index) => part !== two[index]);
  const [part = 0, otherPart = 0] = [one[at], two[at]];
  return part > otherPart;
}

const versionPattern = /^(\d+)\.(\d+)\.(\d+)(?:-([a-z]+)\.(\d+))?$/;

function orderOf(version: string): (number | string)[] {
  const match = versionPattern.exec(version);
  if (match === null) {
    throw new Error("Usage: node scripts/release.ts VERSION, such as 1.2.0 or 1.2.0-beta.1");
  }
  // "~" sorts after all letters.
  const [, major, minor, patch, tag = "~", count = 0] = match;
  return [Number(major), Number(minor), Number(patch), tag, Number(count)];
}

/**
 * Prepares a release in the working tree of a repository. Throws before it writes anything if the version is not higher than
 * the current one, there are no unreleased changes, or files other than the change log have changes that are not committed.
 */
export function prepare(root: string, version: string, date: string): void {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const { version: current } = JSON.parse(read("package.json")) as Package;
  if (!isHigher(version, current)) throw new Error(`${version} is not higher than ${current}`);
  const changed = execFileSync("git", ["status", "--porcelain", "-uno"], { cwd: root })
    .toString()
    .split("\n")
    .map((line) => line.slice(3))
    .filter((path) => path !== "" && path !== "CHANGELOG.md");
  if (changed.length > 0) {
    throw new Error(`Commit or undo the changes of ${changed.join(", ")} first`);
  }
  const edit = (path: string, change: (text: string) => string) =>
    [join(root, path), change(read(path))] as const;
  const editJson = (path: string, change: (value: Package) => void) =>
    edit(path, (text) => {
      const value = JSON.parse(text) as Package;
      change(value);
      return `${JSON.stringify(value, null, 2)}\n`;
    });
  const edits = [
    ...globSync("{package.json,*/package.json}", { cwd: root }).map((path) =>
      editJson(path, (manifest) => setVersion(manifest, version)),
    ),
    editJson("package-lock.json", (lock) => setLockVersion(lock, version)),
    edit("server/src/version.ts", (text) => text.replace(/"[^"]+"/, `"${version}"`)),
    edit("deploy/helm/toolhost/Chart.yaml", (text) =>
      text.replaceAll(/^(version|appVersion): .+$/gm, `$1: ${version}`),
    ),
    edit("CHANGELOG.md", (text) => releaseChanges(text, version, date)),
  ];
  for (const [file, text] of edits) writeFileSync(file, text);
}

function setLockVersion(lock: Package, version: string): void {
  lock.version = version;
  for (const [path, manifest] of Object.entries(lock.packages ?? {})) {
    if (!path.includes("node_modules/")) setVersion(manifest, version);
  }
}

if (import.meta.main) {
  const [version = "", ...surplus] = process.argv.slice(2);
  try {
    const given = surplus.length === 0 ? version : "";
    prepare(join(import.meta.dirname, ".."), given, new Date().toISOString().slice(0, 10));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
