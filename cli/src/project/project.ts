import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseJsonObject } from "../json.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { readRegular } from "./read-regular.ts";

export const projectFile = "toolhost.json";
/** State of this machine, which Git ignores. */
export const stateFolder = ".toolhost";

/** What `toolhost.json` says. */
export type ProjectSettings = {
  /** Where the service is. Without it, `TOOLHOST_URL` or `--url`. */
  url?: string;
  /** The ID of the workspace that the tools belong to. */
  workspace?: string;
  /** The folder that has one folder for each tool. */
  tools: string;
};

/** A folder with `toolhost.json`. */
export type Project = { root: string; settings: ProjectSettings; toolsDir: string };

/** Finds the project in a folder or those above it. */
export async function findProject(from: string): Promise<Project | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const text = await readRegular(join(folder, projectFile));
    if (text !== undefined) return openProject(folder, text);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Finds the project. Throws if there is none. */
export async function requireProject(from: string): Promise<Project> {
  const project = await findProject(from);
  if (project !== undefined) return project;
  throw new CliError(`There is no ${projectFile} in this folder or in one above it.`, {
    code: "no_project",
    exitCode: exitCodes.usage,
    next: ["toolhost init"],
  });
}

const isText = (field: unknown) => field === undefined || typeof field === "string";

async function openProject(root: string, text: string): Promise<Project> {
  const value = parseJsonObject(text, projectFile);
  const { url, workspace, tools = "tools" } = value;
  if (!isText(url) || !isText(workspace) || typeof tools !== "string" || tools === "") {
    throw usageError(`${projectFile}: url, workspace and tools must be text.`);
  }
  const toolsDir = resolve(root, tools);
  if (isAbsolute(tools) || !isInside(root, toolsDir)) {
    throw usageError(`${projectFile}: tools must be a folder of the project, not "${tools}".`);
  }
  await checkNoLink(root, toolsDir);
  await checkStateFolder(root);
  return {
    root,
    toolsDir,
    settings: {
      tools,
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof workspace === "string" ? { workspace } : {}),
    },
  };
}

/** A cloned project could otherwise write outside of its folder through a symbolic link. */
async function checkNoLink(root: string, toolsDir: string): Promise<void> {
  const realRoot = await realpath(root);
  // The folder may not exist yet, and would be created where its parent leads.
  for (let folder = toolsDir; isInside(root, folder); folder = dirname(folder)) {
    if ((await lstat(folder).catch(() => undefined)) === undefined) continue;
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && isInside(realRoot, real)) return;
    throw usageError(`The folder of tools is a link to a place outside of the project.`);
  }
}

/** Throws if something else than a folder is in the place of the state folder: a link would lead what is written elsewhere. */
export async function checkStateFolder(root: string): Promise<void> {
  await checkFolder(join(root, stateFolder));
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The folder of a tool. Throws if something else than a folder is in its place, such as a link. */
export async function toolFolder({ toolsDir }: Project, name: string): Promise<string> {
  const folder = join(toolsDir, name);
  await checkFolder(folder);
  return folder;
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats !== undefined && !stats.isDirectory()) {
    throw usageError(`${folder} is not a folder. Move it away, then retry.`);
  }
}
