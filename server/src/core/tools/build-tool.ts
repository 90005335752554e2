import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { context as esbuild } from "esbuild";
import type { BuildFailure, Message } from "esbuild";
import type { ErrorDetail, ToolSource } from "@toolhost/contract";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import { sha256 } from "#lib/hash";
import { confineImports, withoutSourceMap } from "./confine-imports.ts";
import { withEsbuild } from "./esbuild-process.ts";
import { findImportPattern } from "./import-patterns.ts";
import { withDependencies } from "./install-dependencies.ts";

/** A tool as the sandbox runs it: one ES module. */
export type Bundle = {
  code: string;
  /** SHA-256 of the code. */
  hash: string;
  /** Source map (version 3) from the bundle to the author's file. */
  sourceMap: string;
};

/**
 * Bundles a tool's code with its packages. With `modulesDir` the packages are taken from there and not
 * installed. Throws `invalid_tool` with file, line and column of each error.
 */
export async function buildTool(
  context: AuthoringContext,
  source: ToolSource,
  modulesDir?: string,
): Promise<Bundle> {
  const dependencies = source.dependencies ?? {};
  const file = source.language === "typescript" ? "tool.ts" : "tool.js";
  await refusePatterns(source, file);
  const bundleFrom = (folder: string) => bundle(context, source, { file, folder });
  if (modulesDir !== undefined) return bundleFrom(modulesDir);
  return context.buildSlots.use(() =>
    Object.keys(dependencies).length === 0
      ? bundleFrom(emptyFolder(context))
      : withDependencies(context, dependencies, bundleFrom),
  );
}

/** Where a tool without packages is built: a folder with nothing in it. */
function emptyFolder({ config }: AuthoringContext): string {
  const folder = join(config.dataDir, "builds", "empty");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function refusePatterns(source: ToolSource, file: string): Promise<void> {
  const loader = source.language === "typescript" ? "ts" : "js";
  const place = await withEsbuild(() =>
    failingAsRefusal(file, () => findImportPattern(source.code, loader, { file, kind: "tool" })),
  );
  if (place === undefined) return;
  const message = "import and require must name a package in quotes, not compute its name";
  throw refuse([{ path: "/source/code", message, file, ...place }]);
}

type Place = { file: string; folder: string };

async function bundle(
  context: AuthoringContext,
  source: ToolSource,
  { file, folder }: Place,
): Promise<Bundle> {
  const { BUILD_TIMEOUT_MS: timeoutMs } = context.config;
  const result = await withEsbuild(() =>
    failingAsRefusal(file, () => runBuild(source, { file, folder }, timeoutMs)),
  );
  const output = Object.values(result.metafile.outputs).find(({ entryPoint }) => entryPoint);
  if (output !== undefined && !output.exports.includes("default")) {
    throw refuse([
      {
        path: "/source/code",
        message: "has no default export; export default async (input, ctx) => output",
        file,
        line: 1,
        column: 1,
      },
    ]);
  }
  checkInputs(Object.keys(result.metafile.inputs), file);
  const code = result.outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
  const sourceMap = result.outputFiles.find(({ path }) => path.endsWith(".map"))?.text ?? "";
  const limit = context.config.BUNDLE_MAX_BYTES;
  if (Buffer.byteLength(code) > limit) {
    throw refuse([
      { path: "/source/dependencies", message: `the bundle is larger than ${limit} bytes` },
    ]);
  }
  return { code, hash: sha256(code), sourceMap };
}

async function runBuild(source: ToolSource, { file, folder }: Place, timeoutMs: number) {
  const build = await esbuild({
    stdin: {
      contents: withoutSourceMap(source.code),
      sourcefile: file,
      loader: source.language === "typescript" ? "ts" : "js",
      resolveDir: folder,
    },
    // Inputs are named from here, which is how they are checked.
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
    // Packages keep their names and no comments; the author's own code keeps its shape for stack traces.
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    logLimit: 50,
    tsconfigRaw: "{}",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [confineImports(folder, Object.keys(source.dependencies ?? {}))],
  });
  const timer = setTimeout(() => void build.cancel(), timeoutMs);
  try {
    return await build.rebuild();
  } finally {
    clearTimeout(timer);
    await build.dispose();
  }
}

async function failingAsRefusal<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw refuse(error.errors.map((message) => toDetail(message, file)));
  }
}

/** The last word on what went into a bundle, should anything have got past the plugin. */
function checkInputs(inputs: readonly string[], file: string): void {
  const foreign = inputs.filter(
    (path) => path !== file && !/^(?:(?:\.\.\/)?node_modules\/|node-builtin:)/.test(path),
  );
  if (foreign.length === 0) return;
  const message = "imports files of the server by a pattern; import packages by their names";
  throw refuse([{ path: "/source/code", message, file, line: 1, column: 1 }]);
}

function refuse(errors: readonly ErrorDetail[]): ServiceError {
  const [first] = errors;
  const place = first?.file === undefined ? "" : `${first.file}:${first.line}:${first.column}: `;
  return new ServiceError(
    "invalid_tool",
    `${place}${first?.message ?? "The tool does not build"}`,
    {
      errors,
    },
  );
}

function toDetail({ text, location }: Message, file: string): ErrorDetail {
  return {
    path: "/source/code",
    message: text,
    file: location?.file === undefined || location.file === "" ? file : packageFile(location.file),
    line: location?.line ?? 1,
    // esbuild counts columns from 0, people from 1.
    column: (location?.column ?? 0) + 1,
  };
}

/** A file's name without where on this machine it is. */
function packageFile(path: string): string {
  const inside = path.lastIndexOf("node_modules/");
  return inside === -1 ? (path.split("/").at(-1) ?? path) : path.slice(inside);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}
