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

/** Where the built console is. */
export const builtFolder: string = join(import.meta.dirname, "dist");
const stampName = "built-from.txt";

/**
 * Builds the console into `dist`, unless what is there was built from the same sources. Takes some seconds. It is built aside
 * and moved into place at the end, so a build that breaks off, or two at once, leave no half of one.
 */
export async function buildConsole(): Promise<void> {
  const stamp = stampOfSources();
  const stampFile = join(builtFolder, stampName);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stderr.write("Building the console. This is done once, and takes some seconds.\n");
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

/** Beside the file, as browsers take it. Strong enough, and some times quicker than the strongest. */
function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < 1_024) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes));
}

/** Changes with every file that the console is made of, and with the libraries it was made with. */
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
