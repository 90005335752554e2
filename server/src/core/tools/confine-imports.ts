import { readFile, realpath } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, extname, join, sep } from "node:path";
import type {
  Loader,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
  PluginBuild,
} from "esbuild";
import { findImportPattern } from "./import-patterns.ts";

const resolving = Symbol("resolving");
const loadable = /\.(?:[cm]?[jt]s|json)$/;

/**
 * Lets a tool import the packages it declares, and those import each other, and nothing else of this
 * machine: no path out of `folder`, no absolute path, no file that is not code or JSON.
 */
export function confineImports(folder: string, declared: readonly string[]): Plugin {
  return {
    name: "confine-imports",
    setup: (build) => {
      build.onResolve({ filter: /.*/ }, async (args) => {
        if (args.kind === "entry-point" || args.pluginData === resolving) return undefined;
        if (args.namespace === builtinNamespace) return { path: args.path, external: true };
        if (isBuiltin(args.path)) return resolveBuiltin(args);
        if (!mayImport(args, declared)) return refuse(args.path);
        return resolveInside(build, args, folder);
      });
      build.onLoad({ filter: /.*/, namespace: builtinNamespace }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)}; export { default } from ${JSON.stringify(path)};`,
        loader: "js",
      }));
      build.onLoad({ filter: loadable }, ({ path }) => loadPackageFile(path));
    },
  };
}

/**
 * Code with an empty source map of its own. esbuild reads the map that a comment names, from whatever file of this
 * machine, tells of what it finds there and asks no plugin; of several such comments the last one counts.
 */
export function withoutSourceMap(code: string): string {
  return `${code}\n//# sourceMappingURL=data:application/json,{}`;
}

const builtinNamespace = "node-builtin";

/** `require("node:x")` becomes a module, for an ES module has no `require` when it runs. */
function resolveBuiltin(args: OnResolveArgs): OnResolveResult {
  const path = args.path.startsWith("node:") ? args.path : `node:${args.path}`;
  return args.kind === "require-call"
    ? { path, namespace: builtinNamespace }
    : { path, external: true };
}

/** The tool itself names declared packages only; a package's own files may name what they need. */
function mayImport(args: OnResolveArgs, declared: readonly string[]): boolean {
  if (args.importer.includes(`${sep}node_modules${sep}`)) return true;
  return declared.some((name) => args.path === name || args.path.startsWith(`${name}/`));
}

/** A file of a package, unless it reaches for other files by a pattern. */
async function loadPackageFile(path: string): Promise<OnLoadResult> {
  const contents = await readFile(path, "utf8");
  const loader = loaders[extname(path).slice(1)] ?? "js";
  if (loader === "json") return { contents, loader };
  const safe = { contents: withoutSourceMap(contents), loader };
  // What says neither word has no such call; an escape sequence can hide one.
  if (!/import|require|\\u/.test(contents)) return safe;
  const place = await findImportPattern(contents, loader, { file: path, kind: "package" });
  if (place === undefined) return safe;
  return { errors: [{ text: `${basename(path)} of a package imports files by a computed path` }] };
}

const loaders: Readonly<Record<string, Loader>> = {
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx",
  jsx: "jsx",
  json: "json",
};

async function resolveInside(
  build: PluginBuild,
  args: OnResolveArgs,
  folder: string,
): Promise<OnResolveResult> {
  if (args.path.startsWith("/") || args.path.includes(":")) return refuse(args.path);
  const { importer, kind, resolveDir, with: attributes } = args;
  const found = await build.resolve(args.path, {
    importer,
    kind,
    resolveDir,
    with: attributes,
    pluginData: resolving,
  });
  if (found.errors.length > 0) return { errors: found.errors };
  // A package's "browser": false for a file it can do without.
  if (found.namespace === "disabled" || found.path.startsWith("(disabled)")) return found;
  const path = await realpath(found.path).catch(() => found.path);
  const roots = await Promise.all(
    moduleFolders(folder).map((root) => realpath(root).catch(() => root)),
  );
  const isInside = roots.some((root) => path.startsWith(root + sep));
  if (!isInside || !loadable.test(path)) return refuse(args.path);
  return { path, sideEffects: found.sideEffects };
}

/** Where packages of a folder may be: in it, or hoisted to the workspace above it. */
function moduleFolders(folder: string): string[] {
  return [join(folder, "node_modules"), join(folder, "..", "node_modules")];
}

function refuse(path: string): OnResolveResult {
  const advice = /^[./]|:/.test(path) ? "a tool is one file" : "add it to the tool's dependencies";
  return { errors: [{ text: `import "${path}" is not allowed: ${advice}` }] };
}
