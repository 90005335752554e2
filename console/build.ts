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

/** Larger files, which are the workers of the code editor, would take many seconds at the highest level. */
const maxBestBytes = 3_000_000;

/** Writes compressed copies next to the file. The highest level makes the first load 8 % smaller than level 9. */
function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < 1_024) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > maxBestBytes ? 9 : 11 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes));
}

await buildConsole();
