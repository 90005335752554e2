import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { collectNotices } from "./notices.ts";
import { readManifest, root } from "./repository.ts";
import type { Contents, PackageManifest } from "./write-contents.ts";

/** Files that the bundled server reads. Their paths are the same in the package. */
const patterns = [
  ".env.example",
  "LICENSE",
  "cli/dist/*.{js,json}",
  "console/dist/**/*",
  "sandbox/src/worker/*.{js,capnp}",
  "server/dist/**/*.{js,map}",
  "server/src/core/catalog/search/lexicon/*.txt",
  "starter-tools/*/tool.{json,js,ts}",
];

/** The workspaces whose code or libraries are in the package. */
const workspaces = [
  "cli",
  "console",
  "contract",
  "sandbox",
  "server",
  "starter-tools",
  "tool-schema",
  "ui",
];

/** Parts of others' packages that are installed unchanged, because they load native code. */
const bundled = "better-sqlite3";
const bundledPatterns = ["LICENSE", "lib/**/*.js", "prebuilds/linux-*.node"];

/** The package `toolhost`: the bundled server with the built console, and the command line. The packages of the platform are optional dependencies. */
export function serverPackage(platform: readonly PackageManifest[]): Contents {
  const { name, version, description, license } = readManifest();
  const sqlite = readManifest(join("node_modules", bundled));
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { toolhost: "bin/toolhost.mjs" },
    exports: { "./package.json": "./package.json" },
    files: [...topFolders(), "THIRD-PARTY-NOTICES.txt"],
    engines: { node: ">=20" },
    os: ["linux"],
    cpu: ["x64", "arm64"],
    libc: ["glibc"],
    dependencies: { [bundled]: sqlite.version },
    bundleDependencies: [bundled],
    optionalDependencies: Object.fromEntries(
      platform.map((other) => [other.name, other.version] as const),
    ),
  };
  const { main, exports } = sqlite;
  const bundledManifest = { name: bundled, version: sqlite.version, main, exports };
  return {
    manifest,
    files: new Map([
      ...find(root, patterns).map((path) => [path, join(root, path)] as const),
      ...bundledFiles(),
      ["bin/toolhost.mjs", join(import.meta.dirname, "toolhost.mjs")],
      ["README.md", join(import.meta.dirname, "README.md")],
    ]),
    texts: new Map([
      [
        `node_modules/${bundled}/package.json`,
        JSON.stringify({ ...bundledManifest, license: "MIT" }),
      ],
      ["THIRD-PARTY-NOTICES.txt", `${collectNotices(workspaces)}${fontNotice()}`],
    ]),
  };
}

/** The license of the font, which is no package. */
function fontNotice(): string {
  const license = readFileSync(join(root, "console/src/fonts/LICENSE"), "utf8");
  return `\n${"-".repeat(80)}\n\nInter (font)\n\n${license}`;
}

function bundledFiles(): (readonly [string, string])[] {
  const folder = join("node_modules", bundled);
  const paths = find(join(root, folder), bundledPatterns);
  return paths.map((path) => [join(folder, path), join(root, folder, path)] as const);
}

function topFolders(): string[] {
  return ["bin", ...new Set(patterns.map((pattern) => pattern.split("/")[0] ?? pattern))];
}

/** Finds files. Throws if a pattern matches none, since the package would lack something. */
function find(folder: string, globs: readonly string[]): string[] {
  return globs.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: folder, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    if (found.length === 0) throw new Error(`No file matches ${pattern}. Run npm run build first.`);
    return found
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((path) => !path.endsWith("built-from.txt"))
      .toSorted();
  });
}
