import type { Client, Tool } from "@toolhost/client";
import { compare } from "../project/compare.ts";
import type { State } from "../project/compare.ts";
import { definitionOf, hashOf } from "../project/definition.ts";
import type { Definition } from "../project/definition.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { readLock } from "../project/lock-file.ts";
import type { Link, Lock } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { mapLimited } from "./map-limited.ts";

/** A tool on the server. */
export type RemoteTool = { name: string; version: number; definition: Definition; hash: string };

/** A tool with its three sides. */
export type Entry = {
  folder: string;
  link: Link | undefined;
  local: LocalTool | undefined;
  remote: RemoteTool | undefined;
  state: State;
};

export type Survey = {
  project: Project;
  client: Client;
  lock: Lock;
  /** The tools of the project, sorted by folder. */
  entries: readonly Entry[];
  /** Tools of the workspace that no folder is linked to. */
  unlinked: readonly Tool[];
};

const parallelRequests = 6;

/**
 * Compares the project with the server. `folders` limits it to some folders. Throws if the project belongs to another workspace than
 * the key.
 */
export async function surveyProject(
  project: Project,
  client: Client,
  folders: readonly string[] = [],
): Promise<Survey> {
  const [lock, locals, listed] = await Promise.all([
    readLock(project.root),
    readLocalTools(project, folders),
    listTools(client),
    checkWorkspace(project, client),
  ]);
  const known = [...new Set([...lock.keys(), ...locals.keys()])].toSorted();
  const wanted = folders.length === 0 ? known : [...new Set(folders)];
  const unknown = wanted.find((folder) => !known.includes(folder));
  if (unknown !== undefined) throw noFolder(unknown);
  const linked = new Set([...lock.values()].map(({ name }) => name));
  // The tool of a deleted folder may be that of a folder that was renamed by hand.
  const orphans = [...lock].filter(([folder]) => !locals.has(folder) && folders.length === 0);
  const orphaned = new Set(orphans.map(([, { name }]) => name));
  const unlinked = [...listed.values()].filter(({ name }) => !linked.has(name));
  const entries = await mapLimited(wanted, parallelRequests, async (folder) => {
    const [link, local] = [lock.get(folder), locals.get(folder)];
    const isFree = ({ name }: Tool) => !linked.has(name) || orphaned.has(name);
    const free = [...listed.values()].filter(isFree);
    const remote = await findRemote(client, { link, local, listed, free });
    const isTaken = link === undefined && remote !== undefined && linked.has(remote.name);
    const state: State = isTaken
      ? "conflict: not linked"
      : compare({ base: link, local: local?.hash, remote });
    return { folder, link, local, remote, state };
  });
  return { project, client, lock, entries, unlinked };
}

const noFolder = (folder: string) =>
  new CliError(`The project has no tool in the folder "${folder}".`, {
    code: "no_folder",
    exitCode: exitCodes.notFound,
    next: ["toolhost status", `toolhost pull ${folder}`],
  });

async function checkWorkspace({ settings }: Project, client: Client): Promise<void> {
  if (settings.workspace === undefined) return;
  const { workspace } = await client.request("GET /me");
  if (workspace.id === settings.workspace) return;
  throw usageError(
    `This project belongs to the workspace ${settings.workspace}, and your key to ${workspace.name} (${workspace.id}).`,
    "use a key of that workspace, or change toolhost.json",
  );
}

async function readLocalTools(project: Project, folders: readonly string[]) {
  const existing = await listFolders(project);
  const wanted = folders.length === 0 ? existing : existing.filter((one) => folders.includes(one));
  const found = await Promise.all(wanted.map((folder) => readLocalTool(project, folder)));
  const tools = found.filter((tool) => tool !== undefined);
  return new Map(tools.map((tool) => [tool.folder, tool]));
}

/** The tools of the workspace that the user can see, without those of other workspaces. */
async function listTools(client: Client): Promise<Map<string, Tool>> {
  const tools = new Map<string, Tool>();
  for await (const tool of client.tools.list({ limit: 200 })) {
    if (tool.installed !== true) tools.set(tool.name, tool);
  }
  return tools;
}

type Search = {
  link: Link | undefined;
  local: LocalTool | undefined;
  listed: ReadonlyMap<string, Tool>;
  /** Tools that a folder without a link can belong to. */
  free: readonly Tool[];
};

/** The tool that a folder is linked to; for a folder without a link, an unlinked tool with the same title. */
async function findRemote(
  client: Client,
  { link, local, listed, free }: Search,
): Promise<RemoteTool | undefined> {
  if (link !== undefined) {
    const tool = listed.get(link.name);
    if (tool === undefined) return undefined;
    const isSame = tool.version === link.version;
    // An unchanged version needs no request, unless its content will be shown.
    if (isSame && local?.hash === link.hash) {
      const hash = link.serverHash ?? link.hash;
      return { name: tool.name, version: tool.version, definition: local.definition, hash };
    }
    return getRemote(client, tool.name);
  }
  if (local === undefined) return undefined;
  const { title } = local.definition;
  const sameTitle = free.filter((tool) => tool.title === title);
  const candidates = await Promise.all(
    sameTitle.slice(0, 10).map(({ name }) => getRemote(client, name)),
  );
  const found = candidates.filter((one) => one !== undefined);
  return found.find(({ hash }) => hash === local.hash) ?? found[0];
}

/** A tool with its source; undefined if it does not exist, or is of another workspace. */
export async function getRemote(client: Client, name: string): Promise<RemoteTool | undefined> {
  const detail = await client.tools.get(name).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "tool_not_found")
      return undefined;
    throw error;
  });
  const definition = detail === undefined ? undefined : definitionOf(detail as never);
  if (detail === undefined || definition === undefined) return undefined;
  return { name: detail.name, version: detail.version, definition, hash: hashOf(definition) };
}

/** The link after project and server have the same content. */
export function linkTo(remote: RemoteTool, localHash: string): Link {
  const { name, version, hash } = remote;
  return { name, version, hash: localHash, ...(hash === localHash ? {} : { serverHash: hash }) };
}
