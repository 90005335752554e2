import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// Prepares a release in the working tree: node scripts/release.ts VERSION. It writes the version into every file that
// contains it, and turns the section `Unreleased` of CHANGELOG.md into that of the version. CONTRIBUTING.md lists what follows.

/** A `package.json`, or the lock file with its `packages`. */
type Package = { version: string; packages?: Record<string, Package> } & Record<string, unknown>;

const root = join(import.meta.dirname, "..");
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

function change(path: string, edit: (text: string) => string): void {
  const file = join(root, path);
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

const changeJson = (path: string, edit: (value: Package) => void): void =>
  change(path, (text) => {
    const value = JSON.parse(text) as Package;
    edit(value);
    return `${JSON.stringify(value, null, 2)}\n`;
  });

function prepare(version: string): void {
  change("CHANGELOG.md", (text) =>
    releaseChanges(text, version, new Date().toISOString().slice(0, 10)),
  );
  for (const path of globSync("{package.json,*/package.json}", { cwd: root })) {
    changeJson(path, (manifest) => setVersion(manifest, version));
  }
  changeJson("package-lock.json", (lock) => {
    lock.version = version;
    for (const [path, manifest] of Object.entries(lock.packages ?? {})) {
      if (!path.includes("node_modules/")) setVersion(manifest, version);
    }
  });
  change("server/src/version.ts", (text) => text.replace(/"[^"]+"/, `"${version}"`));
  change("deploy/helm/toolhost/Chart.yaml", (text) =>
    text.replaceAll(/^(version|appVersion): .+$/gm, `$1: ${version}`),
  );
}

if (import.meta.main) {
  const [version = ""] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version)) {
    throw new Error("Usage: node scripts/release.ts VERSION, such as 1.2.0 or 1.2.0-beta.1");
  }
  prepare(version);
}
