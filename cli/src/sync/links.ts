import type { Session } from "../session.ts";
import { isFolderName } from "../project/folder-name.ts";
import { readLocalTool, renameLocalTool } from "../project/local-tools.ts";
import { readLock, writeLock } from "../project/lock-file.ts";
import { toFolder } from "../project/typed-folder.ts";
import { withProjectLock } from "../project/project-lock.ts";
import { usageError } from "../terminal/cli-error.ts";
import { toTable } from "../terminal/text.ts";
import { findToolName } from "../runs/find-tool.ts";
import { getRemote, linkTo } from "./remote-tools.ts";
import { plainLine, shellWord } from "./safe-text.ts";

/** Renames the folder of a tool. The tool on the server stays the same. */
export async function rename(session: Session, _flags: object, ...typed: [string, string]) {
  const project = await session.requireProject();
  const [from, to] = [
    toFolder(project, session.cwd, typed[0]),
    toFolder(project, session.cwd, typed[1]),
  ];
  await withProjectLock(project.root, async () => {
    const lock = new Map(await readLock(project.root));
    const current = lock.get(from);
    if (lock.has(to)) throw usageError(`"${to}" is already linked to a tool.`);
    // If the process ends in between, the old name is a deleted folder, and the new one is found again by its title.
    await renameLocalTool(project, from, to);
    if (current !== undefined) {
      lock.delete(from);
      lock.set(to, current);
      await writeLock(project.root, lock);
    }
  });
  session.terminal.result({ from, to }, () => `Renamed ${from} to ${to}.`);
}

/**
 * Links a folder to a tool of the server. Both sides may differ: the folder's content then counts as changed, on top of the
 * server's live version.
 */
export async function link(session: Session, _flags: object, path: string, typed: string) {
  const project = await session.requireProject();
  const folder = toFolder(project, session.cwd, path);
  const { client } = await session.connect();
  const name = await findToolName(session, client, typed);
  const remote = await getRemote(client, name);
  if (remote === undefined) throw usageError(`The source of ${name} is not visible to you.`);
  if (!isFolderName(folder) || (await readLocalTool(project, folder)) === undefined) {
    throw usageError(
      `There is no tool in the folder "${folder}".`,
      `toolhost pull ${shellWord(name)}`,
    );
  }
  await withProjectLock(project.root, async () => {
    const lock = new Map(await readLock(project.root));
    const other = [...lock].find(([one, { name: used }]) => used === name && one !== folder);
    const isMoved = other !== undefined && (await readLocalTool(project, other[0])) === undefined;
    if (other !== undefined && !isMoved) {
      throw usageError(`${name} is already linked to "${other[0]}".`);
    }
    if (other !== undefined) lock.delete(other[0]);
    lock.set(folder, linkTo(remote, remote.hash));
    await writeLock(project.root, lock);
  });
  session.terminal.result({ folder, name, version: remote.version }, () => [
    `Linked ${folder} to ${name}, version ${remote.version}.`,
  ]);
  session.terminal.note(`Compare them: toolhost diff ${folder}`);
}

/** Lists the tools of the workspace. */
export async function listTools({ connect, terminal }: Session): Promise<void> {
  const { client } = await connect();
  const tools: { name: string; title: string; version: number; visibility: string }[] = [];
  for await (const { name, title, version, visibility } of client.tools.list({ limit: 200 })) {
    tools.push({ name, title, version, visibility });
  }
  terminal.result(tools, () =>
    toTable(
      tools.map(({ name, title, version }) => [
        plainLine(name),
        `version ${version}`,
        plainLine(title),
      ]),
    ),
  );
}
