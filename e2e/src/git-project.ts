import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCli } from "./cli.ts";
import type { Cli } from "./cli.ts";
import type { Server } from "./server.ts";

/** A clone of a repository, with the command line of its user. */
export type Clone = Cli & {
  git(...args: string[]): Promise<string>;
  /** Writes the code of a tool, and its settings if it is new or they are given. */
  write(folder: string, mark: string, settings?: object): Promise<void>;
  remove(folder: string): Promise<void>;
  /** The mark in the code of a tool; undefined if there is none. */
  read(folder: string): Promise<string | undefined>;
  /** Commits the tools, and the lock file unless it stays as it was. Pushes the branch. */
  commit(options?: { withLock?: boolean }): Promise<string>;
  /** Gets the commits of others. Changes of the lock file that are not committed are discarded. */
  update(): Promise<void>;
};

/** Code that returns a mark. */
export const codeOf = (mark: string) =>
  `export default () => ({ mark: ${JSON.stringify(mark)} });\n`;

export const markOf = (code: string | undefined) => /mark: "([^"]*)"/.exec(code ?? "")?.[1];

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];

/** An empty repository for clones. */
export async function createOrigin(server: Server): Promise<string> {
  const origin = await mkdtemp(join(server.workDir, "origin-"));
  await promisify(execFile)("git", ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
  return origin;
}

/** Clones a repository. An empty one becomes a project. */
export async function cloneProject(server: Server, origin: string): Promise<Clone> {
  const cli = await createCli(server);
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd: cli.cwd });
    return stdout.trim();
  };
  await git("clone", "--quiet", origin, ".");
  const clone = { ...cli, git, ...fileActions(cli), ...commitActions(git) };
  if ((await git("ls-files", "toolhost.json")) === "") {
    await cli.json(["init"]);
    await git("add", ".");
    await clone.commit();
  }
  return clone;
}

function fileActions({ cwd }: Cli) {
  const pathOf = (folder: string, file: string) => join(cwd, "tools", folder, file);
  return {
    write: async (folder: string, mark: string, settings?: object) => {
      await mkdir(join(cwd, "tools", folder), { recursive: true });
      const path = pathOf(folder, "tool.json");
      const before = await readFile(path, "utf8").catch(() => undefined);
      if (before === undefined || settings !== undefined) {
        const draft = {
          title: folder,
          description: "A tool of a test.",
          inputSchema: { type: "object" },
          source: { language: "typescript" },
          ...settings,
        };
        await writeFile(path, `${JSON.stringify(draft, null, 2)}\n`);
      }
      await writeFile(pathOf(folder, "tool.ts"), codeOf(mark));
    },
    remove: (folder: string) => rm(join(cwd, "tools", folder), { recursive: true }),
    read: async (folder: string) =>
      markOf(await readFile(pathOf(folder, "tool.ts"), "utf8").catch(() => undefined)),
  };
}

function commitActions(git: Clone["git"]) {
  const update = async () => {
    await git("checkout", "--quiet", "--", ".");
    await git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
  };
  return {
    update,
    commit: async ({ withLock = true }: { withLock?: boolean } = {}) => {
      await git("add", "--all");
      if (!withLock) {
        await git("reset", "--quiet", "--", "toolhost.lock.json").catch(() => {});
        const isTracked = (await git("ls-files", "toolhost.lock.json")) !== "";
        if (isTracked) await git("checkout", "--quiet", "--", "toolhost.lock.json");
      }
      await git("commit", "--quiet", "--allow-empty", "--message", "change");
      await git("push", "--quiet", "origin", "HEAD");
      return git("rev-parse", "HEAD");
    },
  };
}
