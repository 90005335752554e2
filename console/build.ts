import { hash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The folder of the built console. */
export const builtFolder: string = join(import.meta.dirname, "dist");
const stampName = "built-from.txt";

/**
 * Builds the console into `dist`, unless it is up to date. Takes some seconds. The build happens in a temporary folder that is
 * renamed at the end, so an interrupted or concurrent build leaves no incomplete one.
 */
export async function buildConsole(): Promise<void> {
  const stamp = stampOfSources();
  const stampFile = join(builtFolder, stampName);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stderr.write("Building the console. This takes some seconds and happens once.\n");
  const { build } = await import("vite");
  const configFile = join(import.meta.dirname, "vite.config.ts");
  const outDir = mkdtempSync(join(import.meta.dirname, "dist-"));
  try {
    await build({
      configFile,
      configLoader: "native",
      logLevel: "warn",
      mode: "production",
      build: { outDir },
    });
    for (const file of globSync("**/*.{js,css,html,svg,ttf}", { cwd: outDir })) {
      compress(join(outDir, file));
    }
    writeFileSync(join(outDir, stampName), stamp);
    rmSync(builtFolder, { recursive: true, force: true });
    renameSync(outDir, builtFolder);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** Writes compressed copies next to the file. Level 9 is several times faster than the maximum and almost as small. */
function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < 1_024) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes));
}

/** A hash of all sources of the console and of the versions of its libraries. */
function stampOfSources(): string {
  const root = dirname(import.meta.dirname);
  const files = [
    "package-lock.json",
    ...globSync("console/{*.*,src/**/*.*}", { cwd: root }),
    ...globSync("{ui,tool-schema,contract}/src/**/*.ts", { cwd: root }),
  ];
  const parts = files.toSorted().map((file) => [file, readFileSync(join(root, file), "base64")]);
  return hash("sha256", JSON.stringify(parts));
}

if (import.meta.main) {
  await buildConsole();
}
