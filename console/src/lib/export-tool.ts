import { api } from "#api/client";
import { saveFile } from "./save-file.ts";
import { folderNames, toArchive } from "./tool-folders.ts";

/** Saves a tool as a compressed archive with its folder, as `toolhost pull` writes it. */
export async function exportTool(name: string): Promise<void> {
  const tool = await api.get("/tools/{name}", { params: { name } });
  const folder = folderNames([name]).get(name) ?? name;
  saveFile(await toArchive([tool]), `${folder}.tar.gz`);
}
