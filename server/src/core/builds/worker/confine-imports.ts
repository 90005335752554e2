import { isBuiltin } from "node:module";
import { normalize } from "node:path";
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";

const builtinNamespace = "node-builtin";
/** Files that packages import for bundlers that support assets. */
const asset =
  /\.(?:css|s[ac]ss|less|svg|png|jpe?g|gif|webp|html?|wasm|node|txt|md|woff2?|ttf|vue|svelte|[jt]sx)$/;

/** esbuild stores the whole source line for each error; the first errors suffice to reject the build. */
const maxRefused = 50;

export type Confinement = {
  folder: string;
  declared: readonly string[];
  /** Set for a tool that ships with the service, whose packages may be in any parent folder. */
  isShipped?: boolean;
};

/**
 * Allows a tool to import its declared packages, and packages to import from the build's `node_modules`; Node built-ins
 * stay imports. Rejects all other imports with an explanation for the author. This is not the security boundary: files of
 * the machine are safe because the jail contains none.
 */
export function confineImports({ folder, declared, isShipped }: Confinement): Plugin {
  const packages = isShipped === true ? undefined : `${folder}/node_modules/`;
  return {
    name: "confine-imports",
    setup: (build) => {
      let refused = 0;
      const decide = (args: OnResolveArgs): OnResolveResult | undefined => {
        if (args.kind === "entry-point") return undefined;
        if (args.namespace === builtinNamespace) return { path: args.path, external: true };
        if (isBuiltin(args.path)) return resolveBuiltin(args);
        if (args.path.startsWith("/") || args.path.includes(":")) return refuse(args.path);
        if (isOfTool(args)) return names(declared, args.path) ? undefined : refuse(args.path);
        return refusePackageFile(args, packages);
      };
      build.onResolve({ filter: /.*/ }, (args) => {
        const decision = decide(args);
        if (decision?.errors === undefined) return decision;
        refused += 1;
        return refused > maxRefused ? { path: args.path, external: true } : decision;
      });
      build.onLoad({ filter: /.*/, namespace: builtinNamespace }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)}; export { default } from ${JSON.stringify(path)};`,
        loader: "js",
      }));
      // esbuild treats a computed path as a glob, and reads the matching files without calling `onResolve`.
      build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) =>
        packages === undefined || path.startsWith(packages) ? undefined : refuseOutside(),
      );
    },
  };
}

function refuseOutside(): OnLoadResult {
  const text = "a package imports files outside of it by a computed path, which is not allowed";
  return { errors: [{ text }] };
}

/** Wraps `require("node:x")` in a module, since `require` does not exist in an ES module at run time. */
function resolveBuiltin(args: OnResolveArgs): OnResolveResult {
  const path = args.path.startsWith("node:") ? args.path : `node:${args.path}`;
  return args.kind === "require-call"
    ? { path, namespace: builtinNamespace }
    : { path, external: true };
}

function isOfTool({ importer }: OnResolveArgs): boolean {
  return !importer.includes("/node_modules/");
}

function names(declared: readonly string[], path: string): boolean {
  return declared.some((name) => path === name || path.startsWith(`${name}/`));
}

function refusePackageFile(
  { path, resolveDir }: OnResolveArgs,
  packages: string | undefined,
): OnResolveResult | undefined {
  if (packages === undefined || !/^\.\.?(?:\/|$)/.test(path)) return undefined;
  const shown = path.slice(0, 200);
  if (!normalize(`${resolveDir}/${path}/`).startsWith(packages)) {
    return {
      errors: [{ text: `import "${shown}" is not allowed: it points outside of the packages` }],
    };
  }
  if (!asset.test(path)) return undefined;
  return {
    errors: [{ text: `import "${shown}" is not allowed: a tool can contain only code and JSON` }],
  };
}

function refuse(path: string): OnResolveResult {
  const advice = /^[./]|:/.test(path)
    ? "a tool is a single file"
    : "add it to the tool's dependencies";
  return { errors: [{ text: `import "${path.slice(0, 200)}" is not allowed: ${advice}` }] };
}
