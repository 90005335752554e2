import type { Buffer } from "node:buffer";
import process from "node:process";
import { satisfies, validRange } from "semver";
import { refusePackages } from "./messages.ts";
import { pickVersion, readPackument } from "./packument.ts";
import type { Manifest, Packument } from "./packument.ts";

/** The location of a package: a path below the folder of the build. */
export type Placement = { folder: string; manifest: Manifest };

type Fetch = (name: string) => Promise<Buffer | undefined>;

/** A package in the tree, or the tool itself at its root. */
type Node = {
  folder: string;
  depth: number;
  parent: Node | undefined;
  manifest: Manifest | undefined;
  children: Map<string, Node>;
  /** Names that packages further down resolve above this node, so that they must not be placed here. */
  passed: Set<string>;
};

type Edge = { name: string; packageName: string; range: string; isOptional: boolean };

/** npm's grammar, with the upper case of old packages. */
const packageName = /^(?=.{1,214}$)(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/;
const maxDepth = 40;

/**
 * Resolves versions and their locations like npm: each package as near to the root as possible without a conflict.
 * Ignores development and peer dependencies. Throws `RefusedError` for packages that the registry does not have, for
 * other sources, and for a tree that is too large.
 */
export async function resolveTree(
  dependencies: Readonly<Record<string, string>>,
  fetchPackument: Fetch,
  maxPackages: number,
): Promise<Placement[]> {
  const packuments = createPackuments(fetchPackument);
  const root = createNode("", undefined, undefined);
  const placements: Placement[] = [];
  const queue = [{ node: root, edges: edgesOf(dependencies, false) }];
  packuments.prefetch(queue[0]?.edges ?? []);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const edge of next.edges) {
      const placed = await place(next.node, edge, packuments);
      if (placed?.manifest === undefined) continue;
      const { manifest, folder, depth } = placed;
      placements.push({ folder, manifest });
      if (placements.length > maxPackages || depth > maxDepth) {
        throw refusePackages(
          `The packages have more than ${maxPackages} dependencies, or dependencies nested too deeply.`,
        );
      }
      const edges = edgesOfManifest(manifest);
      packuments.prefetch(edges.filter(({ name }) => findAbove(placed, name) === undefined));
      queue.push({ node: placed, edges });
    }
  }
  return placements;
}

/** Places the package of an edge in the tree. Undefined if it is already present, or optional and missing. */
async function place(from: Node, edge: Edge, packuments: Packuments): Promise<Node | undefined> {
  const { name, packageName: wanted, range, isOptional } = edge;
  const present = findAbove(from, name);
  if (present !== undefined && isSatisfied(present, wanted, range)) {
    markPassed(from, present, name);
    return undefined;
  }
  const manifest = await packuments.pick(edge);
  if (manifest === undefined) return undefined;
  if (present?.manifest?.name === wanted && present.manifest.version === manifest.version) {
    markPassed(from, present, name);
    return undefined;
  }
  if (!fitsHere(manifest, isOptional)) return undefined;
  const level = levelFor(from, name);
  const node = createNode(`${level.folder}node_modules/${name}/`, level, manifest);
  level.children.set(name, node);
  markPassed(from, node, name);
  return node;
}

function createNode(folder: string, parent: Node | undefined, manifest: Manifest | undefined) {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  return {
    folder,
    depth,
    parent,
    manifest,
    children: new Map<string, Node>(),
    passed: new Set<string>(),
  };
}

function findAbove(from: Node, name: string): Node | undefined {
  for (let at: Node | undefined = from; at !== undefined; at = at.parent) {
    const found = at.children.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The level nearest to the root where a package does not change the resolution of others. */
function levelFor(from: Node, name: string): Node {
  let level = from;
  for (let at = from.parent; at !== undefined; at = at.parent) {
    if (at.children.has(name) || at.passed.has(name)) break;
    level = at;
  }
  return level;
}

function markPassed(from: Node, found: Node, name: string): void {
  for (let at: Node | undefined = from; at !== undefined && at !== found.parent; at = at.parent) {
    at.passed.add(name);
  }
}

function isSatisfied({ manifest }: Node, wanted: string, range: string): boolean {
  if (manifest === undefined || manifest.name !== wanted) return false;
  if (range === "" || range === "*") return true;
  return validRange(range) !== null && satisfies(manifest.version, range, { loose: true });
}

/** Skips optional packages for specific platforms: they contain native code, which tools cannot run. */
function fitsHere({ name, version, os, cpu }: Manifest, isOptional: boolean): boolean {
  if (isOptional) return os.length === 0 && cpu.length === 0;
  if (allows(os, process.platform) && allows(cpu, process.arch)) return true;
  throw refusePackages(`The package ${name} ${version} does not support this platform.`);
}

function allows(list: readonly string[], own: string): boolean {
  const wanted = list.filter((entry) => !entry.startsWith("!"));
  return (
    !list.includes(`!${own}`) &&
    (wanted.length === 0 || wanted.includes(own) || wanted.includes("any"))
  );
}

function edgesOfManifest({ dependencies, optionalDependencies, bundled }: Manifest): Edge[] {
  // An optional dependency may also be in `dependencies`, and stays optional.
  const needed = Object.entries(dependencies).filter(
    ([name]) => !Object.hasOwn(optionalDependencies, name),
  );
  const all = [
    ...edgesOf(Object.fromEntries(needed), false),
    ...edgesOf(optionalDependencies, true),
  ];
  return bundled === true ? [] : all.filter(({ name }) => !bundled.includes(name));
}

function edgesOf(dependencies: Readonly<Record<string, string>>, isOptional: boolean): Edge[] {
  const names = Object.keys(dependencies).toSorted();
  return names.flatMap((name) => {
    const spec = (dependencies[name] ?? "").trim();
    const alias = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(spec);
    const [wanted, range] = alias === null ? [name, spec] : [alias[1] ?? "", alias[2] ?? "*"];
    const isPlain = !/[:/\\]/.test(range) && isName(name) && isName(wanted);
    if (isPlain) return [{ name, packageName: wanted, range, isOptional }];
    if (isOptional) return [];
    const shown = `${name}@${spec}`.slice(0, 200);
    throw refusePackages(`The packages cannot be installed: "${shown}" is not on the registry.`);
  });
}

function isName(name: string): boolean {
  return packageName.test(name) && name.toLowerCase() !== "node_modules";
}

type Packuments = {
  prefetch(edges: readonly Edge[]): void;
  /** Throws `RefusedError` if no version matches and the edge is not optional. */
  pick(edge: Edge): Promise<Manifest | undefined>;
};

function createPackuments(fetchPackument: Fetch): Packuments {
  const known = new Map<string, Promise<Packument | undefined>>();
  const load = async (name: string) => {
    const bytes = await fetchPackument(name);
    return bytes === undefined ? undefined : readPackument(name, bytes);
  };
  const get = (name: string) => {
    const packument = known.get(name) ?? load(name);
    known.set(name, packument);
    return packument;
  };
  return {
    prefetch: (edges) => {
      // Errors are thrown by `pick`.
      for (const edge of edges) get(edge.packageName).catch(() => {});
    },
    pick: async ({ packageName: name, range, isOptional }) => {
      const packument = await get(name);
      const manifest = packument && pickVersion(name, packument, range);
      if (manifest !== undefined || isOptional) return manifest;
      throw refusePackages(
        packument === undefined
          ? `The packages cannot be installed: the registry has no package "${name}".`
          : `The packages cannot be installed: no version of "${name}" matches "${range.slice(0, 100)}".`,
      );
    },
  };
}
