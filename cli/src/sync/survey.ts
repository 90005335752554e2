import type { Client } from "@toolhost/client";
import type { PublishedFrom } from "@toolhost/contract";
import { compare, isSameVersion } from "../project/compare.ts";
import type { State } from "../project/compare.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { readLock } from "../project/lock-file.ts";
import type { Link } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import { openRepository } from "../project/repository.ts";
import type { Repository } from "../project/repository.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { findFolderTools } from "./git-links.ts";
import type { FolderTool } from "./git-links.ts";
import { mapLimited } from "./map-limited.ts";
import { findCommonBase } from "./published-base.ts";
import type { CommonBase } from "./published-base.ts";
import { getRemote, listTools } from "./remote-tools.ts";
import type { ListedTool, RemoteTool } from "./remote-tools.ts";
import { isRolledBack } from "./rolled-back.ts";
import { shellWord } from "./safe-text.ts";

/** A tool with its three sides. */
export type Entry = {
  folder: string;
  /** What the folder and the server last had in common. */
  link: Link | undefined;
  local: LocalTool | undefined;
  remote: RemoteTool | undefined;
  state: State;
  /** Why the state is not certain, for people. */
  note?: string | undefined;
  /** Whether to report the commit of the remote version: the server knows none, or an older one of this repository. */
  mayRecord: boolean;
  /** Whether the commit that is checked out has the folder. */
  isCommitted: boolean;
};

export type Survey = {
  project: Project;
  client: Client;
  repository: Repository | undefined;
  /** The tools of the project, sorted by folder. */
  entries: readonly Entry[];
  /** Tools of the workspace that no folder is linked to. */
  unlinked: readonly ListedTool[];
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
  const [lock, existing, listed, repository] = await Promise.all([
    readLock(project.root),
    listFolders(project),
    listTools(client),
    openRepository(project),
    checkWorkspace(project, client),
  ]);
  const isWanted = (folder: string) => folders.length === 0 || folders.includes(folder);
  const locals = await readLocalTools(project, existing.filter(isWanted));
  // Whether a folder that is not wanted has a valid tool does not matter.
  const present = new Set([...existing.filter((one) => !isWanted(one)), ...locals.keys()]);
  const found = await findFolderTools({ client, repository, lock, listed, folders: present });
  const { tools } = found;
  const known = [...new Set([...tools.keys(), ...locals.keys()])].toSorted();
  const wanted = folders.length === 0 ? known : [...new Set(folders)];
  const unknown = wanted.find((folder) => !known.includes(folder));
  if (unknown !== undefined) throw noFolder(unknown);
  const linked = new Set([...tools.values()].map(({ name }) => name));
  // The tool of a deleted folder may be that of a folder that was renamed by hand.
  const orphaned = new Set(
    [...tools].flatMap(([folder, { name }]) => (present.has(folder) ? [] : [name])),
  );
  const free = [...listed.values()].filter(({ name }) => !linked.has(name) || orphaned.has(name));
  const context = { client, repository, listed, linked, free, ambiguous: found.ambiguous };
  const entries = await mapLimited(wanted, parallelRequests, (folder) =>
    surveyFolder(context, { folder, tool: tools.get(folder), local: locals.get(folder) }),
  );
  const unlinked = [...listed.values()].filter(({ name }) => !linked.has(name));
  return { project, client, repository, entries, unlinked };
}

type Context = {
  client: Client;
  repository: Repository | undefined;
  listed: ReadonlyMap<string, ListedTool>;
  linked: ReadonlySet<string>;
  /** Tools that a folder without a link can belong to. */
  free: readonly ListedTool[];
  ambiguous: ReadonlySet<string>;
};

type Side = { folder: string; tool: FolderTool | undefined; local: LocalTool | undefined };

async function surveyFolder(context: Context, side: Side): Promise<Entry> {
  const { repository, listed } = context;
  const { folder, tool, local } = side;
  const live = tool === undefined ? undefined : listed.get(tool.name);
  const { note, ...base }: CommonBase =
    tool === undefined
      ? { link: undefined }
      : await findCommonBase({ ...tool, folder, repository, liveVersion: live?.version });
  const remote = await findRemote(context, { ...side, link: base.link, live });
  const published = remote === undefined ? undefined : listed.get(remote.name)?.published;
  const isKnown = published === undefined || (await repository?.has(published.commit)) === true;
  const state = await findState(context, { ...side, ...base, remote, isKnown });
  const isRecorded =
    published?.version === remote?.version &&
    published !== undefined &&
    (await repository?.isInHistory(published.commit)) === true;
  const isCommitted =
    local === undefined &&
    repository !== undefined &&
    (await repository.toolAt(repository.head, repository.pathOf(folder))) !== undefined;
  return {
    folder,
    link: base.link,
    local,
    remote,
    state,
    note:
      state === "new"
        ? describeTwin(context, local)
        : (note ?? noteOf(state, { isKnown, published })),
    mayRecord: isKnown && !isRecorded,
    isCommitted,
  };
}

/** Names a tool of another folder that has the same title, which a copied folder has. */
function describeTwin({ listed, linked }: Context, local: LocalTool | undefined) {
  const title = local?.definition.title;
  const twin = [...listed.values()].find((one) => one.title === title && linked.has(one.name));
  return twin && `${twin.name} of this project has the same title`;
}

type Sides = Side & CommonBase & { remote: RemoteTool | undefined; isKnown: boolean };

async function findState(
  { client, repository, linked, ambiguous }: Context,
  { folder, tool, local, link, commit, remote, isKnown }: Sides,
): Promise<State> {
  if (ambiguous.has(folder)) return "conflict: several tools";
  if (tool === undefined && remote !== undefined) {
    if (linked.has(remote.name)) return "conflict: not linked";
    // Without its commit, a tool of another repository looks like the folder's own.
    if (!isKnown && remote.hash === local?.hash) return "same content, not linked";
  }
  if (tool?.isArchived === true && link === undefined && local !== undefined) {
    return "conflict: changed here, archived on the server";
  }
  const state = compare({ base: link, local: local?.hash, remote });
  if (state !== "changed" || local === undefined || link === undefined || remote === undefined) {
    return state;
  }
  const { version: liveVersion } = remote;
  const question = { client, repository, folder, local, link, commit, liveVersion };
  const hasOthers = link.version > 0 && liveVersion > link.version + 1;
  const isUndone = hasOthers && (await isRolledBack(question));
  return isUndone ? "conflict: rolled back on the server" : state;
}

/** Why a folder has no tool for certain. */
function noteOf(
  state: State,
  { isKnown, published }: { isKnown: boolean; published: PublishedFrom | undefined },
): string | undefined {
  if (isKnown || published === undefined || !state.endsWith("not linked")) return undefined;
  return `it is from commit ${published.commit.slice(0, 10)}, which this clone does not have; fetch the history of the branch`;
}

const noFolder = (folder: string) =>
  new CliError(`The project has no tool in the folder "${folder}".`, {
    code: "no_folder",
    exitCode: exitCodes.notFound,
    next: ["toolhost status", `toolhost pull ${shellWord(folder)}`],
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
  const problems: CliError[] = [];
  const found = await Promise.all(
    folders.map((folder) =>
      readLocalTool(project, folder).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        problems.push(error);
        return undefined;
      }),
    ),
  );
  const [first] = problems;
  if (first !== undefined) {
    const { code, exitCode } = first;
    const messages = problems.map(({ message }) => message).toSorted();
    throw new CliError(messages.join("\n"), { code, exitCode });
  }
  const tools = found.filter((tool) => tool !== undefined);
  return new Map(tools.map((tool) => [tool.folder, tool]));
}

type Search = Side & { link: Link | undefined; live: ListedTool | undefined };

/** The tool that a folder is linked to; for a folder without a link, an unlinked tool with the same title. */
async function findRemote(
  { client, repository, free }: Context,
  { folder, tool, link, local, live }: Search,
): Promise<RemoteTool | undefined> {
  if (tool !== undefined) {
    if (live === undefined) return undefined;
    // An unchanged version needs no request, unless its content will be shown.
    if (link !== undefined && isSameVersion(link, live) && local?.hash === link.hash) {
      const { name, version, updatedAt } = live;
      const hash = link.serverHash ?? link.hash;
      return { name, version, updatedAt, definition: local.definition, hash };
    }
    return getRemote(client, live.name);
  }
  if (local === undefined) return undefined;
  const { title } = local.definition;
  // Without all commits, a tool of another repository looks like the folder's own.
  const samePath = repository?.isShallow === true ? repository.pathOf(folder) : undefined;
  const similar = free.filter(
    (one) => one.title === title || (samePath !== undefined && one.published?.path === samePath),
  );
  const candidates = await Promise.all(
    similar.slice(0, 10).map(({ name }) => getRemote(client, name)),
  );
  const found = candidates.filter((one) => one !== undefined);
  const known = new Set<string>();
  for (const { name, published } of similar) {
    const isKnown = published === undefined || (await repository?.has(published.commit)) === true;
    if (isKnown) known.add(name);
  }
  const same = found.filter(({ hash }) => hash === local.hash);
  return same.find(({ name }) => known.has(name)) ?? same[0] ?? found[0];
}
