import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The path of the program of esbuild. */
export function esbuildBinary(): string {
  const { resolve } = createRequire(import.meta.url);
  const { resolve: resolveFromEsbuild } = createRequire(resolve("esbuild"));
  const manifest = resolveFromEsbuild(`@esbuild/${process.platform}-${process.arch}/package.json`);
  return join(dirname(manifest), "bin/esbuild");
}
