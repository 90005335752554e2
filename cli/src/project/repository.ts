import { execFile } from "node:child_process";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";
import { readToolFolder } from "@toolhost/starter-tools/tool-folder";
import { hashOf, parseDefinition } from "./definition.ts";
import type { Definition } from "./definition.ts";
import { isFolderName } from "./folder-name.ts";
import type { Project } from "./project.ts";

/** The Git repository of a project, as of the commit that is checked out. Paths are relative to its root. */
export type Repository = {
  head: string;
  /** Whether commits are missing, as in the clones that CI systems make by default. */
  isShallow: boolean;
  pathOf(folder: string): string;
  /** The folder of the project with this path; undefined if it is elsewhere. */
  folderOf(path: string): string | undefined;
  has(commit: string): Promise<boolean>;
  /** Whether a commit is the one that is checked out, or before it. */
  isInHistory(commit: string): Promise<boolean>;
  /** The commit at which the history of another commit left that of the checked out one. */
  forkPoint(commit: string): Promise<string | undefined>;
  /** The tool in a folder as of a commit; undefined if there is no valid one. */
  toolAt(commit: string, path: string): Promise<Definition | undefined>;
  hashAt(commit: string, path: string): Promise<string | undefined>;
  /** The commits that changed a folder, newest first; undefined if there are too many. */
  changesOf(path: string, after: string | undefined): Promise<string[] | undefined>;
  /** Whether a commit after the given one deleted the tool in a folder. */
  wasDeleted(path: string, after: string): Promise<boolean>;
};

type Git = (args: readonly string[], input?: string) => Promise<Buffer>;

const maxOutputBytes = 64 * 1024 * 1024;
const maxChanges = 100;

/** Opens the repository of a project; undefined if it has none, or no commit. */
export async function openRepository({ root, toolsDir }: Project): Promise<Repository | undefined> {
  try {
    const about = await createGit(root)([
      "rev-parse",
      "--show-toplevel",
      "--is-shallow-repository",
      "--show-prefix",
      "--verify",
      "HEAD",
    ]);
    const [top = "", isShallow, prefix = "", head = ""] = about.toString().split("\n");
    const tools = prefix + relative(root, toolsDir).split(sep).join("/");
    return describeRepository(createGit(top), { head, isShallow: isShallow === "true", tools });
  } catch {
    // No Git, no repository, or no commit.
    return undefined;
  }
}

/** Runs Git on the objects of a repository only. It fetches nothing, and runs nothing that the project configures. */
function createGit(cwd: string): Git {
  const env = {
    ...process.env,
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
  return (args, input) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env, encoding: "buffer", maxBuffer: maxOutputBytes } as const;
      const child = execFile("git", ["--no-pager", ...args], options, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}

type About = { head: string; isShallow: boolean; tools: string };

function describeRepository(git: Git, { head, isShallow, tools }: About): Repository {
  const isDone = (...args: string[]) =>
    git(args).then(
      () => true,
      () => false,
    );
  const lines = async (...args: string[]) =>
    (await git(args)).toString().split("\n").filter(Boolean);
  const tool = memoize((commit: string, path: string) => readTool(git, commit, path));
  return {
    head,
    isShallow,
    pathOf: (folder) => `${tools}/${folder}`,
    folderOf: (path) => {
      const folder = path.slice(tools.length + 1);
      return path === `${tools}/${folder}` && isFolderName(folder) ? folder : undefined;
    },
    has: memoize((commit) => isDone("cat-file", "-e", `${commit}^{commit}`)),
    isInHistory: memoize((commit) => isDone("merge-base", "--is-ancestor", commit, head)),
    forkPoint: memoize(async (commit) => {
      const [first] = await lines("merge-base", commit, head).catch(() => []);
      return first;
    }),
    toolAt: tool,
    hashAt: async (commit, path) => {
      const definition = await tool(commit, path);
      return definition && hashOf(definition);
    },
    changesOf: async (path, after) => {
      const range = after === undefined ? head : `${after}..${head}`;
      const count = `--max-count=${maxChanges + 1}`;
      const found = await lines("log", count, "--format=%H", range, "--", path);
      return found.length > maxChanges ? undefined : found;
    },
    wasDeleted: async (path, after) => {
      const range = `${after}..${head}`;
      const file = `${path}/tool.json`;
      return (await lines("log", "--diff-filter=D", "--format=%H", range, "--", file)).length > 0;
    },
  };
}

function memoize<Args extends readonly string[], Result>(
  find: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const found = new Map<string, Promise<Result>>();
  return (...args) => {
    const key = args.join("\0");
    const result = found.get(key) ?? find(...args);
    found.set(key, result);
    return result;
  };
}

const files = /^(?:tool\.(?:json|ts|js)|examples\/[^/]+\.json)$/;
/** More examples than a tool may have, so that nothing larger is read. */
const maxFiles = 120;

/** Reads a tool from the objects of the repository. Links and submodules are not files. */
async function readTool(git: Git, commit: string, path: string): Promise<Definition | undefined> {
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", commit, "--", `${path}/`]).catch(
    () => Buffer.alloc(0),
  );
  const found = listed
    .toString()
    .split("\0")
    .map((line) => /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line))
    .map((match) => ({ id: match?.[1] ?? "", name: match?.[2]?.slice(path.length + 1) ?? "" }))
    .filter(({ id, name }) => id !== "" && files.test(name));
  if (found.length === 0 || found.length > maxFiles) return undefined;
  const target = await mkdtemp(join(tmpdir(), "toolhost-commit-"));
  try {
    for (const { id, name } of found) {
      await mkdir(dirname(join(target, name)), { recursive: true });
      await writeFile(join(target, name), await git(["cat-file", "blob", id]));
    }
    const { draft } = await readToolFolder(target);
    return parseDefinition(draft, path);
  } catch {
    return undefined;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}
