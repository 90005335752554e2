import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageTypes } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** Beyond so many entries of a package's folder, or so deep, nobody looks. */
const mostEntries = 40_000;
const deepest = 12;
const mostManifestBytes = 256 * 1024;

/** What a `package.json` says of where types are. The rest of it is nobody's business here. */
const manifestFields = [
  "name",
  "version",
  "type",
  "main",
  "module",
  "types",
  "typings",
  "typesVersions",
  "exports",
  "imports",
] as const;

type File = PackageTypes["files"][number];
type Found = { path: string; size: number };
type Room = { files: number; bytes: number };

/**
 * Declarations of the packages that were installed into a folder: first of those that are named, then of those they need, as
 * many whole packages as there is room for. What a package holds is hostile: it is read as text, links are not followed, and
 * nothing but declarations and known fields of `package.json` is answered.
 */
export async function readPackageTypes(
  folder: string,
  named: readonly string[],
  limits: Room,
): Promise<PackageTypes> {
  const room = { ...limits };
  const files: File[] = [];
  const states = new Map<string, PackageTypes["packages"][number]>();
  const names = await packageNames(join(folder, "node_modules"));
  const order = [...named, ...names.filter((name) => !named.includes(name))];
  for (const name of order) {
    const read = names.includes(name) ? await readPackage(folder, name, room) : undefined;
    states.set(name, { name, version: read?.version ?? "", types: read?.types ?? "none" });
    files.push(...(read?.files ?? []));
  }
  const packages = named.flatMap((name) => {
    const own = states.get(name);
    if (own === undefined) return [];
    const others = states.get(typesPackage(name))?.types;
    return [{ ...own, types: own.types === "none" ? (others ?? "none") : own.types }];
  });
  return { packages, files };
}

/** Where others publish the types of a package that has none. */
function typesPackage(name: string): string {
  return `@types/${name.replace("@", "").replace("/", "__")}`;
}

async function packageNames(modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await foldersIn(modules)) {
    if (!name.startsWith("@")) names.push(name);
    else for (const own of await foldersIn(join(modules, name))) names.push(`${name}/${own}`);
  }
  return names.filter((name) => !name.startsWith(".")).toSorted();
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** One package with those inside of it. What does not fit into the room is left out whole, as half of it would be wrong. */
async function readPackage(
  folder: string,
  name: string,
  room: Room,
): Promise<PackageTypes["packages"][number] & { files: File[] }> {
  const root = `node_modules/${name}`;
  const own = await readManifest(folder, `${root}/package.json`);
  const about = { name, version: own?.version ?? "", files: [] };
  const found = await findFiles(folder, root);
  if (found === undefined) return { ...about, types: "too_large" };
  if (!found.some(({ path }) => isDeclaration(path))) return { ...about, types: "none" };
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (found.length > room.files || bytes > room.bytes) return { ...about, types: "too_large" };
  room.files -= found.length;
  room.bytes -= bytes;
  const files: File[] = [];
  for (const { path } of found) {
    const text = isDeclaration(path)
      ? await readFile(join(folder, path), "utf8")
      : (await readManifest(folder, path))?.text;
    if (text !== undefined) files.push({ path, text: text.toWellFormed() });
  }
  return { ...about, types: "there", files };
}

const isDeclaration = (path: string) => /\.d\.[cm]?ts$/.test(path);

/** The declarations and manifests below a folder; undefined where there is more than anybody looks at. */
async function findFiles(folder: string, root: string): Promise<Found[] | undefined> {
  const found: Found[] = [];
  const open = [{ path: root, depth: 0 }];
  let seen = 0;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const entries = await readdir(join(folder, at.path), { withFileTypes: true });
    seen += entries.length;
    if (seen > mostEntries || at.depth > deepest) return undefined;
    for (const entry of entries) {
      // A name that is no plain one could mean something else where it is read.
      if (!/^[^\p{Cc}\\]{1,200}$/u.test(entry.name)) continue;
      const path = `${at.path}/${entry.name}`;
      if (entry.isDirectory()) open.push({ path, depth: at.depth + 1 });
      else if (entry.isFile() && (isDeclaration(entry.name) || entry.name === "package.json")) {
        const { size } = await lstat(join(folder, path));
        found.push({ path, size: isDeclaration(path) ? size : Math.min(size, mostManifestBytes) });
      }
    }
  }
  return found;
}

async function readManifest(
  folder: string,
  path: string,
): Promise<{ text: string; version: string } | undefined> {
  const file = join(folder, path);
  const info = await lstat(file).catch(() => undefined);
  if (info?.isFile() !== true || info.size > mostManifestBytes) return undefined;
  const manifest = parse(await readFile(file, "utf8"));
  if (!isJsonObject(manifest)) return undefined;
  const kept = manifestFields.flatMap((field) =>
    Object.hasOwn(manifest, field) ? [[field, manifest[field]] as const] : [],
  );
  const { version } = manifest;
  return {
    text: JSON.stringify(Object.fromEntries(kept)),
    version: typeof version === "string" ? version.slice(0, 100) : "",
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
