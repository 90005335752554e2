import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildOnce } from "../scripts/build-once.ts";
import { builtFolder } from "./pages.ts";

/** Builds the console into `dist`, unless it is up to date. Takes some seconds. */
function buildConsole(): Promise<void> {
  return buildOnce({
    name: "the console",
    folder: builtFolder,
    sources: ["console/{*.*,src/**/*.*}", "{ui,tool-schema,contract}/src/**/*.ts"],
    build: async (outDir) => {
      const { build } = await import("vite").catch((cause: unknown) => {
        throw new Error("The packages that build the console are not installed: run npm ci", {
          cause,
        });
      });
      await build({
        configFile: join(import.meta.dirname, "vite.config.ts"),
        configLoader: "native",
        logLevel: "warn",
        mode: "production",
        build: { outDir },
      });
      for (const file of globSync("**/*.{js,css,html,svg,ttf}", { cwd: outDir })) {
        compress(join(outDir, file));
      }
    },
  });
}

/** Writes compressed copies next to the file. Level 9 is several times faster than the maximum and almost as small. */
function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < 1_024) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes));
}

await buildConsole();
