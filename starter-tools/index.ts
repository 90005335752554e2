import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export { beginnings } from "./beginnings.ts";
export type { Beginning } from "./beginnings.ts";

/** A tool that comes with the service: its folder's name, and the draft a person would send to author it. */
export type StarterTool = { slug: string; draft: Record<string, unknown> };

/** The folder from which the bare imports of starter tools resolve. */
export const modulesDir = import.meta.dirname;

const codeFiles: Readonly<Record<string, string>> = {
  typescript: "tool.ts",
  javascript: "tool.js",
};

/** Reads every starter tool, sorted by slug. Drafts are plain data: whoever installs them validates them. */
export async function readStarterTools(): Promise<StarterTool[]> {
  const files = await readdir(modulesDir, { recursive: false, withFileTypes: true });
  const folders = files.filter((file) => file.isDirectory() && file.name !== "node_modules");
  const tools = await Promise.all(folders.map((folder) => readStarterTool(folder.name)));
  return tools.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function readStarterTool(slug: string): Promise<StarterTool> {
  const folder = join(modulesDir, slug);
  const settings: unknown = JSON.parse(await readFile(join(folder, "tool.json"), "utf8"));
  if (!isRecord(settings) || !isRecord(settings["source"])) {
    throw new Error(`${slug}/tool.json must be an object with a "source"`);
  }
  const { source } = settings;
  const codeFile = codeFiles[String(source["language"])];
  if (codeFile === undefined) {
    throw new Error(`${slug}/tool.json must name "typescript" or "javascript" as source.language`);
  }
  const code = await readFile(join(folder, codeFile), "utf8");
  return { slug, draft: { ...settings, source: { ...source, code } } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
