import type { Session } from "../session.ts";
import { folderNameOf } from "../project/folder-name.ts";
import {
  deleteLocalTool,
  listFolders,
  readLocalTool,
  writeLocalTool,
} from "../project/local-tools.ts";
import { changeLock, readLock } from "../project/lock-file.ts";
import { withProjectLock } from "../project/project-lock.ts";
import type { Project } from "../project/project.ts";
import { toFolder } from "../project/typed-folder.ts";
import { writeEditorFiles } from "../project/editor-files.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import { findToolName } from "../runs/find-tool.ts";
import { getRemote, linkTo } from "./remote-tools.ts";
import type { RemoteTool } from "./remote-tools.ts";
import { surveyProject } from "./survey.ts";
import type { Entry, Survey } from "./survey.ts";

export type PullFlags = { all?: boolean; force?: boolean; delete?: boolean };

/** What a pull did with one tool. */
type PullResult = {
  action: "pulled" | "linked" | "deleted" | "skipped" | "refused";
  folder: string;
  name: string;
  version?: number;
  note?: string;
};

/** Brings changes of the server into the project. Changes of the project stay, unless `force` is set. */
export async function pull(session: Session, flags: PullFlags, ...words: string[]) {
  const { terminal } = session;
  const project = await session.requireProject();
  const typed = words.map((word) => toFolder(project, session.cwd, word));
  const { client } = await session.connect();
  return withProjectLock(project.root, async () => {
    const lock = await readLock(project.root);
    const folders = await listFolders(project);
    const isKnown = (word: string) => lock.has(word) || folders.includes(word);
    const known = typed.filter(isKnown);
    const results: PullResult[] = [];
    let survey: Survey | undefined;
    if (typed.length === 0 || known.length > 0) {
      survey = await surveyProject(project, client, known);
      for (const entry of survey.entries) {
        const result = await pullEntry(survey, entry, { ...flags, isNamed: known.length > 0 });
        if (result !== undefined) results.push(result);
      }
    }
    const added = typed.filter((word) => !isKnown(word));
    const names = await Promise.all(added.map((word) => findToolName(session, client, word)));
    const all = flags.all === true ? (survey?.unlinked ?? []).map(({ name }) => name) : [];
    for (const name of [...names, ...all]) {
      const remote = await getRemote(client, name);
      results.push(
        remote === undefined
          ? { action: "skipped", folder: "", name, note: "its source is not visible to you" }
          : await pullNew(project, remote),
      );
    }
    return showResults(terminal, results, survey);
  });
}

type Choice = PullFlags & { isNamed: boolean };

async function pullEntry(
  { project }: Survey,
  entry: Entry,
  { force = false, delete: isDeleting = false, isNamed }: Choice,
): Promise<PullResult | undefined> {
  const { folder, state, remote, link } = entry;
  const base = { folder, name: remote?.name ?? link?.name ?? folder };
  const write = async () => {
    if (remote === undefined) return undefined;
    await writeUnlessChanged(project, entry, remote);
    return { ...base, action: "pulled" as const, version: remote.version };
  };
  switch (state) {
    case "changed on the server":
      return write();
    case "same change":
      if (remote !== undefined) await changeLock(project.root, folder, linkTo(remote, remote.hash));
      return { ...base, action: "linked" };
    case "gone":
      await changeLock(project.root, folder, undefined);
      return undefined;
    case "deleted":
    case "conflict: deleted here, changed on the server":
      return isNamed || force
        ? write()
        : {
            ...base,
            action: "skipped",
            note: `deleted here; restore it with: toolhost pull ${folder}`,
          };
    case "archived on the server":
      if (!isDeleting) {
        return {
          ...base,
          action: "skipped",
          note: "archived on the server; delete it here with --delete",
        };
      }
      await deleteLocalTool(project, folder);
      await changeLock(project.root, folder, undefined);
      return { ...base, action: "deleted" };
    case "conflict: changed on both sides":
    case "conflict: rolled back on the server":
    case "conflict: not linked":
      return force
        ? write()
        : { ...base, action: "refused", note: state.replace("conflict: ", "") };
    case "conflict: several tools":
    case "conflict: changed here, archived on the server":
      return { ...base, action: "refused", note: state.replace("conflict: ", "") };
    case "changed":
      return force && isNamed ? write() : undefined;
    default:
      return undefined;
  }
}

/** Writes the folder, then the lock file. An edit that was saved since the comparison stays. */
async function writeUnlessChanged(project: Project, { folder, local }: Entry, remote: RemoteTool) {
  const now = await readLocalTool(project, folder);
  if (now?.hash !== local?.hash) {
    throw new CliError(`${folder} was edited at the same moment. Retry.`, {
      code: "conflict",
      exitCode: exitCodes.conflict,
    });
  }
  await writeLocalTool(project, folder, remote.definition);
  await changeLock(project.root, folder, linkTo(remote, remote.hash));
  await writeEditorFiles(project, folder, remote.definition);
}

/** Writes a tool that no folder is linked to into a new folder. */
async function pullNew(project: Project, remote: RemoteTool): Promise<PullResult> {
  const [folders, lock] = [await listFolders(project), await readLock(project.root)];
  const linked = [...lock].find(([, { name }]) => name === remote.name);
  if (linked !== undefined) {
    const note = `already in the project; update it with: toolhost pull ${linked[0]}`;
    return { action: "skipped", folder: linked[0], name: remote.name, note };
  }
  const base = folderNameOf(remote.name);
  let folder = base;
  for (let number = 2; folders.includes(folder) || lock.has(folder); number++) {
    folder = `${base}-${number}`;
  }
  await writeLocalTool(project, folder, remote.definition);
  await changeLock(project.root, folder, linkTo(remote, remote.hash));
  await writeEditorFiles(project, folder, remote.definition);
  return { action: "pulled", folder, name: remote.name, version: remote.version };
}

function showResults(
  terminal: Session["terminal"],
  results: readonly PullResult[],
  survey: Survey | undefined,
) {
  const pulled = new Set(results.map(({ name }) => name));
  const unlinked = (survey?.unlinked ?? []).filter(({ name }) => !pulled.has(name));
  const refused = results.filter(({ action }) => action === "refused");
  terminal.result(
    { results, notInProject: unlinked.map(({ name, title }) => ({ name, title })) },
    () => [
      ...(results.length === 0 ? ["Already up to date."] : []),
      ...results.map(
        ({ action, folder, name, version, note }) =>
          `${styled(action === "refused" ? "red" : "green", action)} ${folder}: ${name}${version === undefined ? "" : `, version ${version}`}${note === undefined ? "" : ` (${note})`}`,
      ),
    ],
  );
  if (results.length === 0 && unlinked.length > 0) {
    terminal.note(`Not in the project: ${unlinked.length} tools. Add all: toolhost pull --all`);
  }
  const [first] = refused;
  if (first === undefined) return exitCodes.ok;
  throw new CliError("Your changes were not overwritten.", {
    code: "conflict",
    exitCode: exitCodes.conflict,
    next: [`toolhost diff ${first.folder}`, `toolhost pull ${first.folder} --force`],
    extra: { conflicts: refused },
  });
}
