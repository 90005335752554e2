import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageTypes } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** Limits of the search in the folder of a package. */
const maxEntries = 40_000;
const maxDepth = 12;
const maxManifestBytes = 256 * 1024;

/** Fields of `package.json` that TypeScript needs to find types. All others are removed. */
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
 * Reads the declarations of the packages in a folder: first of the named ones, then of their dependencies, as many whole
 * packages as the limits allow. Package content is untrusted: it is read as text, links are not followed, and only
 * declarations and known fields of `package.json` are returned.
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

/** The DefinitelyTyped package for a package without types. */
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

/** Reads a package with its nested packages. One that exceeds the limits is omitted as a whole, since partial types are wrong. */
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

/** The declarations and manifests below a folder; undefined if the folder exceeds the limits. */
async function findFiles(folder: string, root: string): Promise<Found[] | undefined> {
  const found: Found[] = [];
  const open = [{ path: root, depth: 0 }];
  let seen = 0;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const entries = await readdir(join(folder, at.path), { withFileTypes: true });
    seen += entries.length;
    if (seen > maxEntries || at.depth > maxDepth) return undefined;
    for (const entry of entries) {
      // Unusual names could be interpreted differently by a reader.
      if (!/^[^\p{Cc}\\]{1,200}$/u.test(entry.name)) continue;
      const path = `${at.path}/${entry.name}`;
      if (entry.isDirectory()) open.push({ path, depth: at.depth + 1 });
      else if (entry.isFile() && (isDeclaration(entry.name) || entry.name === "package.json")) {
        const { size } = await lstat(join(folder, path));
        found.push({ path, size: isDeclaration(path) ? size : Math.min(size, maxManifestBytes) });
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
  if (info?.isFile() !== true || info.size > maxManifestBytes) return undefined;
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
