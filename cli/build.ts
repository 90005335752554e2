import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce } from "../scripts/build-once.ts";

const root = join(import.meta.dirname, "..");
const outDir = join(import.meta.dirname, "dist");

/** The bundled command line. */
export const bundledCli: string = join(outDir, "main.js");

/**
 * Bundles the command line and its libraries, unless it is up to date. Each command is a file of its own, so that a start loads only
 * what it needs.
 */
export function buildCli(): Promise<void> {
  return buildOnce({
    name: "the command line",
    folder: outDir,
    sources: [
      "{cli,contract,sdk,starter-tools,tool-schema}/package.json",
      "{cli,contract,sdk,tool-schema}/src/**/*.ts",
      "cli/build.ts",
      "starter-tools/*.ts",
    ],
    build: async (folder) => {
      const { build } = await import("esbuild");
      const { metafile } = await build({
        absWorkingDir: root,
        entryPoints: ["cli/src/main.ts", "cli/src/run-cli.ts"],
        outdir: folder,
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        minifySyntax: true,
        minifyWhitespace: true,
        metafile: true,
        logLevel: "warning",
      });
      await writeFile(join(folder, "package.json"), '{"type":"module"}\n');
      await writeFile(join(folder, "inputs.json"), JSON.stringify(Object.keys(metafile.inputs)));
    },
  });
}

if (import.meta.main) await buildCli();
