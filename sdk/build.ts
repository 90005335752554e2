import { execFile } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Plugin } from "esbuild";
import { buildOnce } from "../scripts/build-once.ts";

const root = join(import.meta.dirname, "..");

/** The folder with the JavaScript and the declarations of the published package. */
export const builtFolder: string = join(import.meta.dirname, "dist");

/** The entries of the package, each with its source below this folder. */
export function readEntries(): Record<string, string> {
  const manifest = readFileSync(join(import.meta.dirname, "package.json"), "utf8");
  return (JSON.parse(manifest) as { exports: Record<string, string> }).exports;
}

/** Builds the package into `dist`, unless it is up to date: modules for every runtime, and their types. */
export function buildClient(): Promise<void> {
  return buildOnce({
    name: "the client",
    folder: builtFolder,
    sources: [
      "sdk/{*.json,build.ts,src/**/*.ts}",
      "{contract,tool-schema}/{package.json,src/**/*.ts}",
    ],
    build: async (folder) => {
      const { build } = await import("esbuild");
      await build({
        absWorkingDir: import.meta.dirname,
        entryPoints: Object.values(readEntries()),
        outbase: "src",
        outdir: folder,
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "neutral",
        target: "es2022",
        plugins: [ownPackages],
        // Peers and modules of Node.js, which only some of the entries import.
        packages: "external",
        logLevel: "warning",
      });
      await writeDeclarations(folder);
    },
  });
}

/** Includes the code of our unpublished packages in the bundle. */
const ownPackages: Plugin = {
  name: "own-packages",
  setup(build) {
    build.onResolve({ filter: /^@toolhost\// }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
  },
};

async function writeDeclarations(folder: string): Promise<void> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const types = join(folder, "types");
  const args = [
    compiler,
    "-p",
    join(import.meta.dirname, "tsconfig.build.json"),
    "--outDir",
    types,
  ];
  await promisify(execFile)(process.execPath, args);
  for (const file of globSync("sdk/src/**/*.d.ts", { cwd: types })) {
    const text = readFileSync(join(types, file), "utf8");
    // The compiler leaves the endings of imports in declarations as they are.
    const imports = text.replaceAll(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"');
    const target = join(folder, file.replace(/^sdk\/src\//, ""));
    await mkdir(dirname(target), { recursive: true });
    writeFileSync(target, imports);
  }
  rmSync(types, { recursive: true });
}

if (import.meta.main) await buildClient();
