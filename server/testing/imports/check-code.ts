import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { toolTypes } from "@toolhost/tool-schema";
import type { GeneratedTool } from "../../src/core/imports/openapi/index.ts";

const root = join(import.meta.dirname, "../../..");

/** The options of the editor for tools (`console/src/pages/draft/editor/compiler/compiler-options.ts`). */
const compilerOptions = {
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "webworker", "webworker.iterable", "webworker.asynciterable"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  noEmit: true,
  skipLibCheck: true,
};

/** The errors of the type checker in all tools. Each is a module that contains its own types. */
export async function checkTypes(
  folder: string,
  tools: readonly GeneratedTool[],
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  for (const [index, { definition }] of tools.entries()) {
    const text = `${toolTypes(definition)}\n${definition.source.code}`;
    await writeFile(join(folder, `${index}.ts`), text);
  }
  // The declarations contain types that a tool may leave unused.
  const options = { ...compilerOptions, noUnusedLocals: false };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  const output = run("tsc", ["-p", folder]);
  return output
    .split("\n")
    .filter((line) => line.includes("error TS"))
    .map((line) => line.replace(/^.*?(\d+)\.ts/, (_, index) => tools[Number(index)]?.key ?? ""));
}

const sampleSize = 12;

/** Lints some of the tools with the rules of this repository, the longest among them. */
export async function lintSample(folder: string, tools: readonly GeneratedTool[]) {
  const byLength = tools.toSorted(
    (a, b) => b.definition.source.code.length - a.definition.source.code.length,
  );
  const step = Math.max(1, Math.floor(byLength.length / sampleSize));
  const sample = byLength.filter((_, index) => index % step === 0);
  for (const [index, { definition }] of sample.entries()) {
    const place = join(folder, String(index));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "tool.ts"), definition.source.code);
    await writeFile(join(place, "tool-types.d.ts"), toolTypes(definition));
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  }
  const config = join(root, "oxlint.config.ts");
  const output = run("oxlint", ["--type-aware", "-c", config, "--format", "unix", folder]);
  const problems = output.split("\n").filter((line) => /tool\.ts:\d+/.test(line));
  const wrong = new Set(problems.map((line) => /(\d+)\/tool\.ts/.exec(line)?.[1]));
  return { clean: sample.length - wrong.size, total: sample.length, problems };
}

function run(command: string, args: readonly string[]): string {
  const path = join(root, "node_modules/.bin", command);
  const { stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout + stderr;
}
