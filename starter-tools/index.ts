import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readToolFolder } from "./tool-folder.ts";

export { starterTemplates } from "./starter-templates.ts";
export type { StarterTemplate } from "./starter-templates.ts";

/** A tool that ships with the service: its folder's name, and its definition as in `POST /tools`. */
export type StarterTool = { slug: string; draft: Record<string, unknown> };

/** The folder from which bare imports of starter tools are resolved. */
export const modulesDir = import.meta.dirname;

/** Reads all starter tools, sorted by slug. The definitions are not validated. */
export async function readStarterTools(): Promise<StarterTool[]> {
  const files = await readdir(modulesDir, { recursive: false, withFileTypes: true });
  const folders = files.filter((file) => file.isDirectory() && file.name !== "node_modules");
  const tools = await Promise.all(folders.map((folder) => readStarterTool(folder.name)));
  return tools.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function readStarterTool(slug: string): Promise<StarterTool> {
  try {
    const { draft } = await readToolFolder(join(modulesDir, slug));
    return { slug, draft };
  } catch (error) {
    throw new Error(`The starter tool ${slug} cannot be read: ${String(error)}`, { cause: error });
  }
}
