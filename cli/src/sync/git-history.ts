import { execFile } from "node:child_process";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { readToolFolder } from "@toolhost/starter-tools/tool-folder";
import { compare } from "../project/compare.ts";
import { hashOf, parseDefinition } from "../project/definition.ts";
import { toolFolder } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { linkTo } from "./survey.ts";
import type { Entry, Survey } from "./survey.ts";

const maxCommits = 100;
const maxBytes = 16 * 1024 * 1024;

/**
 * CI does not commit the lock file, so it is older there than what CI pushed. What the server has is then an earlier state of the
 * folder in Git: publishing over it loses nothing. Such conflicts are resolved here; those with any other content remain.
 */
export async function adoptEarlierPushes(survey: Survey): Promise<Survey> {
  const entries: Entry[] = [];
  for (const entry of survey.entries) entries.push(await adopt(survey.project, entry));
  return { ...survey, entries };
}

async function adopt(project: Project, entry: Entry): Promise<Entry> {
  const { state, remote, local, folder } = entry;
  const isAdoptable =
    state === "conflict: changed on both sides" || state === "conflict: not linked";
  if (!isAdoptable || remote === undefined || local === undefined) return entry;
  if (!(await wasCommitted(project, folder, remote.hash))) return entry;
  const link = linkTo(remote, remote.hash);
  return { ...entry, link, state: compare({ base: link, local: local.hash, remote }) };
}

/** Whether a commit of the current branch had a tool with this hash in the folder. */
async function wasCommitted(project: Project, name: string, hash: string): Promise<boolean> {
  const folder = await toolFolder(project, name);
  const git = (...args: string[]) =>
    promisify(execFile)("git", args, {
      cwd: project.root,
      maxBuffer: maxBytes,
      encoding: "buffer",
    });
  try {
    const path = relative(project.root, folder);
    const { stdout } = await git("log", `--max-count=${maxCommits}`, "--format=%H", "--", path);
    for (const commit of stdout.toString().split("\n").filter(Boolean)) {
      if ((await hashAt(git, commit, path)) === hash) return true;
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
