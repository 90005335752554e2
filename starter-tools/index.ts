import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export { starterTemplates } from "./starter-templates.ts";
export type { StarterTemplate } from "./starter-templates.ts";

/** A tool that ships with the service: its folder's name, and its definition as in `POST /tools`. */
export type StarterTool = { slug: string; draft: Record<string, unknown> };

/** The folder from which bare imports of starter tools are resolved. */
export const modulesDir = import.meta.dirname;

const codeFiles: Readonly<Record<string, string>> = {
  typescript: "tool.ts",
  javascript: "tool.js",
};

/** Reads all starter tools, sorted by slug. The definitions are not validated. */
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
    throw new Error(
      `${slug}/tool.json must have "typescript" or "javascript" as its source.language`,
    );
  }
  const code = await readFile(join(folder, codeFile), "utf8");
  return { slug, draft: { ...settings, source: { ...source, code } } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
