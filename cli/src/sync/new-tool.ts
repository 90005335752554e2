import type { Session } from "../session.ts";
import { parseDefinition } from "../project/definition.ts";
import { writeEditorFiles, writeToolSchema } from "../project/editor-files.ts";
import { isFolderName } from "../project/folder-name.ts";
import { readLocalTool, writeLocalTool } from "../project/local-tools.ts";
import { toFolder } from "../project/typed-folder.ts";
import { usageError } from "../terminal/cli-error.ts";
import { findTemplate } from "./templates.ts";

export type NewFlags = { template: string };

/** Creates a tool in a new folder of the project. The server does not know it before a push. */
export async function newTool(session: Session, { template }: NewFlags, typed: string) {
  const project = await session.requireProject();
  const name = toFolder(project, session.cwd, typed);
  if (!isFolderName(name)) {
    throw usageError(`"${name}" cannot be a folder. Use lowercase letters, digits, "-" and "_".`);
  }
  if ((await readLocalTool(project, name).catch(() => true)) !== undefined) {
    throw usageError(`The folder "${name}" already has a tool.`, `toolhost dev ${name}`);
  }
  const title = toTitle(name);
  const definition = parseDefinition({ ...findTemplate(template), title }, name);
  await writeLocalTool(project, name, definition);
  await writeEditorFiles(project, name, definition);
  await writeToolSchema(project.root);
  const folder = `${project.settings.tools}/${name}`;
  session.terminal.result({ folder, title, template }, () => [
    `Created ${folder} with tool.json and the code.`,
  ]);
  session.terminal.note(`Try it: toolhost dev ${name}\nPublish it: toolhost push ${name}`);
}

function toTitle(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
