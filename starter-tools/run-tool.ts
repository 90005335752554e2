import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createToolInput, type CreateToolInput } from "@toolhost/contract";
import { build } from "esbuild";
import { encode as encodePng } from "fast-png";
import { modulesDir, readStarterTools } from "./index.ts";

type Tool = (input: unknown, ctx: unknown) => Promise<unknown>;

/** A file that a tool reads or saves in a test. */
export type TestFile = { name: string; mimeType: string; body: Uint8Array };

/** All starter tools, by folder name. */
export const drafts: ReadonlyMap<string, CreateToolInput> = new Map(
  (await readStarterTools()).map(({ slug, draft }) => [slug, createToolInput.parse(draft)]),
);

const bundles = new Map<string, Promise<string>>();
const folder = await mkdtemp(join(tmpdir(), "starter-tools-"));

/** Deletes the built tools. */
export async function forgetTools(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Bundles a tool like the service: one ES module that imports only Node built-ins. */
export function bundle(slug: string): Promise<string> {
  const known = bundles.get(slug);
  if (known !== undefined) return known;
  const { source } = draftOf(slug);
  const made = build({
    stdin: {
      contents: source.code,
      resolveDir: modulesDir,
      loader: source.language === "typescript" ? "ts" : "js",
    },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import", "module", "default"],
    target: "es2024",
    // Universal libraries import built-ins in branches that tools never execute.
    external: ["node:*", ...builtinModules],
    write: false,
    logLevel: "silent",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  bundles.set(slug, made);
  return made;
}

function draftOf(slug: string): CreateToolInput {
  const draft = drafts.get(slug);
  if (draft === undefined) throw new Error(`no starter tool ${slug}`);
  return draft;
}

async function load(slug: string): Promise<Tool> {
  const file = join(folder, `${slug}.mjs`);
  // Test files share this module, and each of them deletes the folder at its end.
  await mkdir(folder, { recursive: true });
  await writeFile(file, await bundle(slug));
  const module: { default: Tool } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return module.default;
}

/** Runs a tool in this process and returns its output after a JSON round trip. */
export async function run(
  slug: string,
  input: unknown,
  ctx: unknown = context(),
): Promise<unknown> {
  const tool = await load(slug);
  const output = await tool(input, ctx);
  // Outputs are transferred as JSON, so values that JSON drops are not part of them.
  return JSON.parse(JSON.stringify(output));
}

/** A fake `ctx` that returns the same file for any ID, and records what the tool did with it. */
export function context(
  signal: AbortSignal = new AbortController().signal,
  file: TestFile = smallImage(),
) {
  const progress: [number, string | undefined][] = [];
  const saved: TestFile[] = [];
  return {
    runId: "run-1",
    signal,
    credentials: { GITHUB_TOKEN: "token" },
    reported: progress,
    progress: (fraction: number, message?: string) => void progress.push([fraction, message]),
    saved,
    files: {
      open: async () => ({
        fileName: file.name,
        mimeType: file.mimeType,
        size: file.body.length,
        bytes: async () => file.body,
      }),
      save: async (made: TestFile) => {
        saved.push(made);
        const { name: fileName, mimeType, body } = made;
        return { fileId: `file-${saved.length}`, fileName, mimeType, size: body.length };
      },
    },
  };
}

/** A PNG of two pixels, red and blue. */
function smallImage(): TestFile {
  const data = new Uint8Array([255, 0, 0, 0, 0, 255]);
  const body = encodePng({ width: 2, height: 1, data, channels: 3 });
  return { name: "two.png", mimeType: "image/png", body };
}
