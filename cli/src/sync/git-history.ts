import { execFile } from "node:child_process";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { readToolFolder } from "@toolhost/starter-tools/tool-folder";
import { isRecord, parseJsonObject } from "../json.ts";
import { compare } from "../project/compare.ts";
import { hashOf, parseDefinition } from "../project/definition.ts";
import { lockFile } from "../project/lock-file.ts";
import { toolFolder } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { linkTo } from "./survey.ts";
import type { Entry, Survey } from "./survey.ts";

const maxCommits = 100;
const maxBytes = 16 * 1024 * 1024;

/**
 * CI does not commit the lock file, so it is older there than what CI pushed. What the server has is then an earlier state of the
 * folder in Git: publishing over it loses nothing. Such conflicts are resolved here; those with any other content remain. So do
 * those of a tool that the lock file never named for the folder: it can be that of another user, with the content of the same template.
 */
export async function adoptEarlierPushes(survey: Survey): Promise<Survey> {
  const entries: Entry[] = [];
  for (const entry of survey.entries) entries.push(await adopt(survey, entry));
  return { ...survey, entries };
}

async function adopt({ project, lock }: Survey, entry: Entry): Promise<Entry> {
  const { state, remote, local, folder } = entry;
  const isAdoptable =
    state === "conflict: changed on both sides" || state === "conflict: not linked";
  if (!isAdoptable || remote === undefined || local === undefined) return entry;
  if (entry.link === undefined) {
    const isTaken = [...lock.values()].some(({ name }) => name === remote.name);
    if (isTaken || !(await wasLinked(project, folder, remote.name))) return entry;
  }
  if (!(await wasCommitted(project, folder, remote.hash))) return entry;
  const link = linkTo(remote, remote.hash);
  return { ...entry, link, state: compare({ base: link, local: local.hash, remote }) };
}

/** Whether the lock file of a commit of the current branch linked the folder to this tool. */
function wasLinked({ root }: Project, folder: string, name: string): Promise<boolean> {
  return someCommit(root, lockFile, async (git, commit) => {
    const { stdout } = await git("show", `${commit}:./${lockFile}`);
    const { tools } = parseJsonObject(stdout.toString(), lockFile);
    const link = isRecord(tools) && Object.hasOwn(tools, folder) ? tools[folder] : undefined;
    return isRecord(link) && link["name"] === name;
  });
}

/** Whether a commit of the current branch had a tool with this hash in the folder. */
async function wasCommitted(project: Project, name: string, hash: string): Promise<boolean> {
  const path = relative(project.root, await toolFolder(project, name));
  const isSame = async (git: Git, commit: string) => (await hashAt(git, commit, path)) === hash;
  return someCommit(project.root, path, isSame);
}

/** Whether something is true of one of the latest commits of the current branch that changed a path. */
async function someCommit(
  root: string,
  path: string,
  isTrue: (git: Git, commit: string) => Promise<boolean>,
): Promise<boolean> {
  const git: Git = (...args) =>
    promisify(execFile)("git", args, { cwd: root, maxBuffer: maxBytes, encoding: "buffer" });
  try {
    const { stdout } = await git("log", `--max-count=${maxCommits}`, "--format=%H", "--", path);
    for (const commit of stdout.toString().split("\n").filter(Boolean)) {
      // The path does not exist in a commit that deleted it, and may not be valid in another.
      if (await isTrue(git, commit).catch(() => false)) return true;
    }
  } catch {
    // No Git, or no repository.
  }
  return false;
}

type Git = (...args: string[]) => Promise<{ stdout: Buffer }>;

/** The hash of the tool in a folder as of a commit; undefined if it was not valid. */
async function hashAt(git: Git, commit: string, path: string): Promise<string | undefined> {
  const target = await mkdtemp(join(tmpdir(), "toolhost-history-"));
  try {
    const { stdout } = await git("ls-tree", "-r", "-z", "--name-only", commit, "--", path);
    for (const file of stdout.toString().split("\0").filter(Boolean)) {
      const inside = relative(path, file.slice(file.indexOf(path)));
      if (!/^(?:tool\.(?:json|ts|js)|examples\/[^/]+\.json)$/.test(inside)) continue;
      await mkdir(dirname(join(target, inside)), { recursive: true });
      await writeFile(join(target, inside), (await git("show", `${commit}:./${file}`)).stdout);
    }
    const { draft } = await readToolFolder(target);
    return hashOf(parseDefinition(draft, basename(path)));
  } catch {
    return undefined;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}
