import { Buffer } from "node:buffer";
import { context as esbuild } from "esbuild";
import type { BuildFailure, Message } from "esbuild";
import { confineImports } from "./confine-imports.ts";
import type { Confinement } from "./confine-imports.ts";
import { findComputedImport } from "./computed-imports.ts";
import { emptySourceMap } from "./empty-source-map.ts";
import { RefusedError } from "./messages.ts";
import type { BuildProblem } from "./messages.ts";

export type BundleRequest = Confinement & {
  source: { language: "typescript" | "javascript"; code: string };
  maxBytes: number;
};

/** A tool as one ES module, with a source map (version 3) to the author's file. */
export type BundledCode = { code: string; sourceMap: string };

const maxProblems = 50;
/** A source map is larger than its code, and is stored with each version. */
const maxMapFactor = 4;

/**
 * Bundles a tool's code with the packages in a folder. Throws `RefusedError` with file, line and column of each error.
 * esbuild reads any file that the code refers to, so untrusted code must be bundled in a jail.
 */
export async function bundle(request: BundleRequest): Promise<BundledCode> {
  const { source, folder } = request;
  const file = source.language === "typescript" ? "tool.ts" : "tool.js";
  try {
    const loader = source.language === "typescript" ? "ts" : "js";
    const place = await findComputedImport(source.code, loader, file);
    if (place !== undefined) {
      const message = "import and require must name a package as a string, not compute its name";
      throw new RefusedError([{ path: "/source/code", message, file, ...place }]);
    }
    return await runBuild(request, file);
  } catch (error) {
    if (isBuildFailure(error)) {
      const problems = error.errors.slice(0, maxProblems);
      throw new RefusedError(problems.map((message) => toProblem(message, file, folder)));
    }
    if (!isProcessGone(error)) throw error;
    const message = "the code is nested too deeply or grows too large to be built";
    throw new RefusedError([{ path: "/source/code", message }]);
  }
}

async function runBuild(request: BundleRequest, file: string): Promise<BundledCode> {
  const { source, folder, maxBytes } = request;
  const build = await esbuild({
    stdin: {
      contents: `${source.code}${emptySourceMap}`,
      sourcefile: file,
      loader: source.language === "typescript" ? "ts" : "js",
      resolveDir: folder,
    },
    absWorkingDir: folder,
    outfile: "tool.bundle.js",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser", "import", "default"],
    target: "es2024",
    // Not minified, so that stack traces stay readable; legal comments of packages are dropped.
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    logLimit: maxProblems,
    tsconfigRaw: "{}",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [confineImports(request)],
  });
  try {
    const { metafile, outputFiles } = await build.rebuild();
    const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint);
    if (output !== undefined && !output.exports.includes("default")) throw noDefault(file);
    const code = outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
    const sourceMap = outputFiles.find(({ path }) => path.endsWith(".map"))?.text ?? "";
    if (
      Buffer.byteLength(code) > maxBytes ||
      Buffer.byteLength(sourceMap) > maxMapFactor * maxBytes
    ) {
      const message = `the bundle is larger than ${maxBytes} bytes`;
      throw new RefusedError([{ path: "/source/dependencies", message }]);
    }
    return { code, sourceMap };
  } finally {
    await build.dispose();
  }
}

function noDefault(file: string): RefusedError {
  const message = "has no default export. Add `export default async (input, ctx) => …`";
  return new RefusedError([{ path: "/source/code", message, file, line: 1, column: 1 }]);
}

function toProblem({ text, location }: Message, file: string, folder: string): BuildProblem {
  return {
    path: "/source/code",
    message: text.replaceAll(`${folder}/`, "").replaceAll(folder, "."),
    file: location?.file === undefined || location.file === "" ? file : packageFile(location.file),
    line: location?.line ?? 1,
    // esbuild counts columns from 0, editors from 1.
    column: (location?.column ?? 0) + 1,
  };
}

/** Hides where on this machine a file is. */
function packageFile(path: string): string {
  const inside = path.lastIndexOf("node_modules/");
  return inside === -1 ? (path.split("/").at(-1) ?? path) : path.slice(inside);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

/** Code that is nested too deeply, or that grows during constant folding, crashes esbuild's process. */
function isProcessGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^The service (?:was stopped|is no longer running)/.test(error.message)
  );
}
