import { lstat, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../session.ts";
import { toJsonFile } from "../json.ts";
import { writeToolSchema } from "../project/editor-files.ts";
import { generatedFiles } from "../project/local-tools.ts";
import { findProject, projectFile } from "../project/project.ts";
import { isMissing, writeAtomic } from "../project/write-atomic.ts";
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
  const outer = await findProject(cwd).catch(() => undefined);
  const gitIgnore = join(cwd, ".gitignore");
  await checkRegular(gitIgnore);
  const { client, address } = await session.connect();
  const { workspace } = await client.request("GET /me");
  const settings = { url: address, workspace: workspace.id, tools: "tools" };
  await mkdir(join(cwd, "tools"), { recursive: true });
  await writeAtomic(file, toJsonFile(settings));
  await writeToolSchema(cwd);
  await ignore(gitIgnore);
  terminal.result({ ...settings, folder: cwd }, () => [
    `This folder is now a project of the workspace ${workspace.name} on ${address}.`,
  ]);
  if (outer !== undefined) {
    terminal.note(
      `It is inside the project ${outer.root}. Commands in this folder use the new one.`,
    );
  }
  terminal.note("Create a tool: toolhost new hello\nOr bring one here: toolhost pull NAME");
}

/** Throws if a link or something else is in the place of a file: what is written would go elsewhere. */
async function checkRegular(file: string): Promise<void> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (stats === undefined || stats.isFile()) return;
  throw usageError(`${file} is not a regular file. Move it away, then retry.`);
}

async function ignore(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  const lines = new Set(text.split(/\r?\n/));
  const missing = ignored.filter((line) => !lines.has(line));
  if (missing.length === 0) return;
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeAtomic(file, `${text}${start}${missing.join("\n")}\n`);
}
