import { relative, resolve } from "node:path";
import { generateTypes } from "@toolhost/client/generate-types";
import type { Tool } from "@toolhost/client";
import { writeEditorFiles, writeToolSchema } from "../project/editor-files.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import { writeAtomic } from "../project/write-atomic.ts";
import type { Session } from "../session.ts";
import { usageError } from "../terminal/cli-error.ts";

export type TypesFlags = { out: string };

/** Writes typed functions for the tools of the workspace, and the types of the project's own tools beside their code. */
export async function writeTypes(session: Session, { out }: TypesFlags): Promise<void> {
  if (!/\.[cm]?ts$/.test(out)) throw usageError("--out must be a TypeScript file.");
  const project = await session.project();
  const { client } = await session.connect();
  const tools: Tool[] = [];
  for await (const tool of client.tools.list({ limit: 200 })) tools.push(tool);
  const file = resolve(session.cwd, out);
  await writeAtomic(file, generateTypes(tools));
  const folders = project === undefined ? [] : await listFolders(project);
  for (const folder of folders) {
    const local = project === undefined ? undefined : await readLocalTool(project, folder);
    if (project !== undefined && local !== undefined) {
      await writeEditorFiles(project, folder, local.definition);
    }
  }
  if (project !== undefined) await writeToolSchema(project.root);
  const shown = relative(session.cwd, file);
  session.terminal.result({ file: shown, tools: tools.length, folders }, () => [
    `Wrote ${shown} with ${tools.length} tools.`,
  ]);
}
