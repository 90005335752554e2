import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../session.ts";
import { toJsonFile } from "../json.ts";
import { writeToolSchema } from "../project/editor-files.ts";
import { generatedFiles } from "../project/local-tools.ts";
import { projectFile } from "../project/project.ts";
import { writeAtomic } from "../project/write-atomic.ts";
import { usageError } from "../terminal/cli-error.ts";

/** What Git ignores: state of this machine, and generated files. */
const ignored = [".toolhost/", ...generatedFiles.map((name) => `tools/*/${name}`)];

/** Makes the working folder a project of the workspace that the key belongs to. */
export async function init(session: Session): Promise<void> {
  const { cwd, terminal } = session;
  const file = join(cwd, projectFile);
  if ((await readFile(file).catch(() => undefined)) !== undefined) {
    throw usageError(`This folder already has a ${projectFile}.`, "toolhost status");
  }
  const { client, address } = await session.connect();
  const { workspace } = await client.request("GET /me");
  const settings = { url: address, workspace: workspace.id, tools: "tools" };
  await mkdir(join(cwd, "tools"), { recursive: true });
  await writeAtomic(file, toJsonFile(settings));
  await writeToolSchema(cwd);
  await ignore(join(cwd, ".gitignore"));
  terminal.result({ ...settings, folder: cwd }, () => [
    `This folder is now a project of the workspace ${workspace.name} on ${address}.`,
  ]);
  terminal.note("Create a tool: toolhost new hello\nOr bring one here: toolhost pull NAME");
}

async function ignore(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = new Set(text.split(/\r?\n/));
  const missing = ignored.filter((line) => !lines.has(line));
  if (missing.length === 0) return;
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(file, `${start}${missing.join("\n")}\n`);
}
