import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.ts";

type Locked = {
  name?: string;
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
type Lock = Readonly<Record<string, Locked>>;

const legalFile = /^(?:lic\w+|copying|notice|third-?party-?notices?)\b/i;

/** The licenses of all packages that some workspaces are made from, including their own dependencies. */
export function collectNotices(workspaces: readonly string[]): string {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Lock };
  const byText = new Map<string, string[]>();
  for (const path of findPackages(packages, workspaces)) {
    const { version = "", license = "" } = packages[path] ?? {};
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const text = legalText(path) ?? `License: ${license}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  const sections = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return `The package contains code of these packages.\n\n${sections.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** The locations of all packages that the workspaces depend on. */
function findPackages(lock: Lock, workspaces: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    const { dependencies, optionalDependencies, peerDependencies } = lock[path] ?? {};
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const place = locate(lock, path, name);
      if (place === undefined || found.has(place) || lock[place]?.link === true) continue;
      found.add(place);
      visit(place);
    }
  };
  for (const workspace of workspaces) visit(workspace);
  return [...found].filter((path) => isInstalled(path)).toSorted();
}

/** Finds a dependency like Node.js: in the folder of the package, then in those above it. */
function locate(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = join(folder, "node_modules", name);
    if (lock[path] !== undefined) return path;
    if (folder === "") return undefined;
  }
}

function isInstalled(path: string): boolean {
  try {
    return readdirSync(join(root, path)).includes("package.json");
  } catch {
    return false;
  }
}

function legalText(path: string): string | undefined {
  const files = readdirSync(join(root, path)).filter((name) => legalFile.test(name));
  if (files.length === 0) return undefined;
  return files.map((name) => readFileSync(join(root, path, name), "utf8").trim()).join("\n\n");
}
