import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import type { OnLoadResult, Plugin } from "esbuild";
import { buildOnce } from "../scripts/build-once.ts";

const root = join(import.meta.dirname, "..");
const outDir = join(import.meta.dirname, "dist");

/** The programs of the server. Each becomes a file of the same name. */
const programs = [
  "main",
  "cli",
  "backup",
  "restore",
  "rotate-encryption-key",
  "verify-audit",
  "migrate-to-postgres",
] as const;

/** The path of a program of the bundled server. */
export const bundledProgram = (name: (typeof programs)[number]): string =>
  join(outDir, `${name}.js`);

/** Scripts that the server starts as processes, by source. */
const scripts: Readonly<Record<string, string>> = {
  "sandbox/src/launcher/launcher-process.ts": "launcher-process",
  "server/src/core/imports/openapi/worker.ts": "openapi-worker",
  "server/src/core/validation/worker.ts": "validation-worker",
};

/** Modules whose functions return what only depends on the sources. The bundle contains their results. */
const evaluated = new Set([
  "server/src/core/builds/bundle-shipped-tools.ts",
  "server/src/core/builds/bundle-worker.ts",
  "server/src/core/imports/mcp/client-source.ts",
  "ui/build/bundle-widget.ts",
]);

/** A package that the bundle does not include, because it loads native code from its own folder. */
const external = ["better-sqlite3"];

/** CommonJS modules in the bundle load modules of Node.js with `require`. */
const banner = `import { createRequire as $createRequire } from "node:module";
import { join as $join } from "node:path";
const require = $createRequire(import.meta.url);`;

/**
 * Bundles the server and its libraries into a few files in `dist`, unless it is up to date. Node.js loads them in half the time
 * that it needs for thousands of modules.
 */
export function buildServer(): Promise<void> {
  return buildOnce({
    name: "the server",
    folder: outDir,
    sources: [
      "{contract,sandbox,server,starter-tools,tool-schema,ui}/package.json",
      "{contract,sandbox,server,tool-schema,ui}/src/**/*.ts",
      "{server,ui}/{build.ts,build/*.ts}",
      "server/testing/conformance/*.ts",
      "{starter-tools,console}/*.ts",
      "starter-tools/*/tool.*",
    ],
    build: async (folder) => {
      const { build } = await import("esbuild");
      const entryPoints = [
        ...programs.map((name) => ({ in: `server/src/${name}.ts`, out: name })),
        ...Object.entries(scripts).map(([source, name]) => ({ in: source, out: name })),
      ];
      await build({
        absWorkingDir: root,
        entryPoints,
        outdir: folder,
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: `node${process.versions.node}`,
        // Libraries adapt to whether these optional packages are installed, which they are not in production.
        external: [...external, "pg-native", "supports-color"],
        banner: { js: banner },
        plugins: [ownSources],
        sourcemap: true,
        sourcesContent: false,
        minifyWhitespace: true,
        logLevel: "warning",
      });
    },
  });
}

/** Adapts our own modules to their new place. */
const ownSources: Plugin = {
  name: "own-sources",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }): Promise<OnLoadResult | undefined> => {
      if (path.includes("/node_modules/")) return undefined;
      if (evaluated.has(relative(root, path))) return { contents: await evaluate(path) };
      const code = await readFile(path, "utf8");
      return { contents: code.replaceAll(ownPlace, adapt(path)), loader: "ts" };
    });
  },
};

const ownPlace =
  /new URL\("(?<script>[^"]+\.ts)", import\.meta\.url\)|import\.meta\.(?:dirname|url)/g;

/** Returns what to write instead of the location of a module: data files stay where they are, scripts are in the bundle. */
function adapt(path: string) {
  return (text: string, script: string | undefined): string => {
    if (script !== undefined) {
      const source = relative(root, join(dirname(path), script));
      const name = scripts[source];
      if (name === undefined) throw new Error(`${source} is missing in the list of scripts`);
      return `new URL("./${name}.js", import.meta.url)`;
    }
    const original = JSON.stringify(relative(outDir, path));
    return text === "import.meta.url"
      ? `new URL(${original}, import.meta.url).href`
      : `$join(import.meta.dirname, ${original}, "..")`;
  };
}

/** Returns a module whose functions return what those of the original return now. */
async function evaluate(path: string): Promise<string> {
  const functions = Object.entries((await import(path)) as Record<string, () => Promise<unknown>>);
  const lines = functions.map(
    async ([name, run]) => `export const ${name} = async () => (${JSON.stringify(await run())});`,
  );
  return (await Promise.all(lines)).join("\n");
}

if (import.meta.main) await buildServer();
