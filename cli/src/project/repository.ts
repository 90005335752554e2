import { execFile } from "node:child_process";
import { lstat, mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";
import { readToolFolder } from "@toolhost/starter-tools/tool-folder";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { hashOf, parseDefinition } from "./definition.ts";
import type { Definition } from "./definition.ts";
import { isFolderName } from "./folder-name.ts";
import type { Project } from "./project.ts";

/** The Git repository of a project, as of the commit that is checked out. Paths are relative to its root. */
export type Repository = {
  head: string;
  /** Whether commits are missing, as in the clones that CI systems make by default. */
  isShallow: boolean;
  /** Identifies the repository in all of its complete clones; undefined in others. */
  findOrigin(): Promise<string | undefined>;
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

/**
 * Throws if the project is in a repository that Git cannot read. Without it, a push would not notice unmerged work of others, and
 * would take the missing folders of a sparse checkout for deleted ones.
 */
export async function checkRepository({ root }: Project): Promise<void> {
  if (!(await isInRepository(root))) return;
  await createGit(root)(["rev-parse", "--git-dir"]).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : "";
    const reason = /^fatal: (.*)$/m.exec(text)?.[1] ?? "is it installed?";
    throw new CliError(`Git cannot read the repository of this project: ${reason}`, {
      code: "git_failed",
      exitCode: exitCodes.usage,
      next: ["git status"],
      cause: error,
    });
  });
}

async function isInRepository(from: string): Promise<boolean> {
  for (let folder = from; ; folder = dirname(folder)) {
    const stats = await lstat(join(folder, ".git")).catch(() => undefined);
    if (stats !== undefined) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** A folder of a commit can have the form of a repository, whose settings name programs. */
const settings = [
  "safe.bareRepository=explicit",
  "log.showSignature=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

/** Runs Git on the objects of a repository only. It fetches nothing, and runs nothing that the project configures. */
function createGit(cwd: string): Git {
  const own = Object.entries(process.env).filter(([name]) => !/^TOOLHOST_/i.test(name));
  const env = {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
  return (args, input) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env, encoding: "buffer", maxBuffer: maxOutputBytes } as const;
      const child = execFile(
        "git",
        ["--no-pager", ...settings, ...args],
        options,
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
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
    findOrigin: async () => {
      if (isShallow) return undefined;
      return (await lines("rev-list", "--max-parents=0", head)).toSorted().join(" ");
    },
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
      const found = await lines("rev-list", count, range, "--", path);
      return found.length > maxChanges ? undefined : found;
    },
    wasDeleted: async (path, after) => {
      const file = `${path}/tool.json`;
      const changes = await git(["rev-list", `${after}..${head}`, "--", file]);
      const options = ["--stdin", "-r", "--no-commit-id", "--name-only", "--diff-filter=D"];
      const deleted = await git(["diff-tree", ...options, "--", file], changes.toString());
      return deleted.length > 0;
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
