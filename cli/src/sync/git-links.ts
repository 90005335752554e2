import type { Client } from "@toolhost/client";
import type { PublishedFrom } from "@toolhost/contract";
import type { Link, Lock } from "../project/lock-file.ts";
import type { Repository } from "../project/repository.ts";
import { getRemote, listArchivedTools } from "./remote-tools.ts";
import type { ListedTool, PublishedTool } from "./remote-tools.ts";

/** The tool of a folder. */
export type FolderTool = {
  name: string;
  /** The entry of the lock file. */
  link: Link | undefined;
  published: PublishedFrom | undefined;
  isArchived: boolean;
};

type Known = {
  client: Client;
  repository: Repository | undefined;
  lock: Lock;
  listed: ReadonlyMap<string, ListedTool>;
  /** The folders that have a tool here. */
  folders: ReadonlySet<string>;
};

export type FolderTools = {
  tools: Map<string, FolderTool>;
  /** Folders that several tools were published from, with equal right. */
  ambiguous: ReadonlySet<string>;
};

/**
 * Finds the tool of each folder: the one that the lock file names, or else the user's own one that was published from this folder of
 * this repository. A tool whose folder no longer exists belongs to it only if the branch had it.
 */
export async function findFolderTools(known: Known): Promise<FolderTools> {
  const { lock, listed, repository } = known;
  const tools = new Map<string, FolderTool>();
  for (const [folder, link] of lock) {
    const tool = listed.get(link.name);
    const found = { name: link.name, link, published: tool?.published };
    tools.set(folder, { ...found, isArchived: tool === undefined });
  }
  const ambiguous = new Set<string>();
  for (const [folder, candidates] of await findPublished(known)) {
    const current = tools.get(folder);
    // The tool that the lock file names was replaced by another.
    if (current !== undefined && !current.isArchived) continue;
    const tool = await choose(known, candidates);
    if (tool !== undefined) {
      tools.set(folder, { ...tool, link: undefined, isArchived: false });
    } else if (known.folders.has(folder)) {
      tools.delete(folder);
      ambiguous.add(folder);
    }
  }
  const isMissing = (folder: string) =>
    !ambiguous.has(folder) && (tools.get(folder)?.isArchived ?? true);
  const missing = [...known.folders].filter(isMissing);
  if (repository !== undefined && missing.length > 0) {
    await addArchived({ client: known.client, folders: missing }, repository, tools);
  }
  return { tools, ambiguous };
}

/**
 * The user's own tools that no entry of the lock file names, by the folder that they were published from. Other users could name any
 * folder for theirs.
 */
async function findPublished({
  lock,
  listed,
  repository,
  folders,
}: Known): Promise<Map<string, PublishedTool[]>> {
  const named = new Set([...lock.values()].map(({ name }) => name));
  const found = new Map<string, PublishedTool[]>();
  for (const { name, published, isOwn } of listed.values()) {
    if (repository === undefined || published === undefined) continue;
    if (!isOwn || named.has(name)) continue;
    const folder = repository.folderOf(published.path);
    if (folder === undefined || !(await repository.has(published.commit))) continue;
    if (!folders.has(folder) && !(await repository.isInHistory(published.commit))) continue;
    found.set(folder, [...(found.get(folder) ?? []), { name, published, isOwn }]);
  }
  return found;
}

/** Chooses the only tool, or of several the only one whose content the commit has. */
async function choose(
  { client, repository }: Known,
  candidates: readonly PublishedTool[],
): Promise<PublishedTool | undefined> {
  const [first, ...others] = candidates;
  if (others.length === 0) return first;
  const matching: PublishedTool[] = [];
  for (const tool of candidates) {
    const remote = await getRemote(client, tool.name);
    const hash = await repository?.hashAt(tool.published.commit, tool.published.path);
    if (remote !== undefined && remote.hash === hash) matching.push(tool);
  }
  return matching.length === 1 ? matching[0] : undefined;
}

/**
 * Adds tools that were archived on the server. Those that a commit archived, by deleting the folder, are forgotten: a later commit
 * that has the folder again means a new tool.
 */
async function addArchived(
  { client, folders }: { client: Client; folders: readonly string[] },
  repository: Repository,
  tools: Map<string, FolderTool>,
): Promise<void> {
  const archived = await listArchivedTools(client);
  for (const folder of folders) {
    const current = tools.get(folder);
    const path = repository.pathOf(folder);
    const candidates = archived.filter(({ name, published, isOwn }) =>
      current === undefined ? isOwn && published.path === path : name === current.name,
    );
    for (const { name, published } of candidates) {
      const isKnown = await repository.has(published.commit);
      if (!isKnown && !repository.isShallow && current === undefined) continue;
      if (isKnown && (await isCreatedAgain(repository, published))) tools.delete(folder);
      else tools.set(folder, { name, link: current?.link, published, isArchived: true });
    }
  }
}

/** Whether a commit of the branch deleted the folder of a tool, which a later one has again. */
async function isCreatedAgain(
  repository: Repository,
  { commit, path }: PublishedFrom,
): Promise<boolean> {
  if (!(await repository.isInHistory(commit))) return false;
  if ((await repository.toolAt(commit, path)) === undefined) return true;
  return repository.wasDeleted(path, commit);
}
