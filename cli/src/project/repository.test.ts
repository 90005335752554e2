import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requireProject } from "./project.ts";
import { checkRepository, openRepository } from "./repository.ts";

let scratch: string;
let root: string;
/** Exists after a program that a repository names was run. */
let marker: string;

beforeEach(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "toolhost-repository-")));
  root = join(scratch, "project");
  marker = join(scratch, "marker");
  await mkdir(join(root, "tools"), { recursive: true });
  await writeFile(join(root, "toolhost.json"), "{}");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(scratch, { recursive: true });
});

async function git(...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd: root });
  return stdout.trim();
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** Makes Git run a program when it shows commits, of which the newest seems to be signed. */
async function configureProgram(): Promise<void> {
  const program = join(scratch, "gpg");
  await writeProgram(program, `touch ${marker}`);
  await git("config", "gpg.program", program);
  await git("config", "log.showSignature", "true");
  const commit = await git("cat-file", "commit", "HEAD");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----";
  const file = join(scratch, "commit");
  await writeFile(file, `${commit.replace("\n\n", `\n${signature}\n\n`)}\n`);
  await git("update-ref", "HEAD", await git("hash-object", "-t", "commit", "-w", file));
}

async function commitProject(): Promise<void> {
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "first");
}

const wasRun = () =>
  readFile(marker).then(
    () => true,
    () => false,
  );

describe("openRepository", () => {
  it("runs no program that the repository names", async () => {
    await mkdir(join(root, "tools", "a"));
    await writeFile(join(root, "tools", "a", "tool.json"), "{}");
    await commitProject();
    await configureProgram();
    const repository = await openRepository(await requireProject(root));
    expect(await repository?.changesOf("tools/a", undefined)).toHaveLength(1);
    await repository?.wasDeleted("tools/a", repository.head);
    expect(await wasRun()).toBe(false);
  });

  it("opens no repository that is a folder of the project's files", async () => {
    await commitProject();
    await configureProgram();
    // As files of a commit can be: the folder itself has the form of a repository.
    await promisify(execFile)("sh", ["-c", "cp -r .git/* . && rm -r .git"], { cwd: root });
    await promisify(execFile)("git", ["--git-dir=.", "config", "core.worktree", "."], {
      cwd: root,
    });
    expect(await openRepository(await requireProject(root))).toBeUndefined();
    expect(await wasRun()).toBe(false);
  });

  it("gives Git no key of the service", async () => {
    const bin = join(scratch, "bin");
    await mkdir(bin);
    await writeProgram(join(bin, "git"), `env > ${marker}; exit 1`);
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"]}`);
    vi.stubEnv("TOOLHOST_API_KEY", "the-secret");
    await openRepository(await requireProject(root));
    expect(await readFile(marker, "utf8")).toContain("GIT_OPTIONAL_LOCKS");
    expect(await readFile(marker, "utf8")).not.toContain("TOOLHOST");
  });

  it("knows whether a commit after another one deleted a tool", async () => {
    await mkdir(join(root, "tools", "a"));
    await writeFile(join(root, "tools", "a", "tool.json"), "{}");
    await commitProject();
    const first = await git("rev-parse", "HEAD");
    const wasDeleted = async () =>
      (await openRepository(await requireProject(root)))?.wasDeleted("tools/a", first);
    await writeFile(join(root, "tools", "a", "tool.json"), "{ }");
    await git("commit", "--quiet", "--all", "--message", "changed");
    expect(await wasDeleted()).toBe(false);
    await git("rm", "--quiet", "-r", "tools/a");
    await git("commit", "--quiet", "--message", "deleted");
    expect(await wasDeleted()).toBe(true);
  });
});

describe("checkRepository", () => {
  const check = async () => checkRepository(await requireProject(root));

  it("accepts a project without Git, and one without commits", async () => {
    await check();
    await git("init", "--quiet");
    await check();
  });

  it("throws if Git cannot read the repository", async () => {
    await commitProject();
    await check();
    await rm(join(root, ".git", "HEAD"));
    await expect(check()).rejects.toThrow("Git cannot read the repository");
  });

  it("throws if there is a repository, but no Git", async () => {
    await commitProject();
    vi.stubEnv("PATH", scratch);
    await expect(check()).rejects.toThrow("Git cannot read the repository");
  });
});
