import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCli } from "./src/cli.ts";
import { startProxy } from "./src/intercepting-proxy.ts";
import { cloneProject, codeOf, createOrigin, markOf } from "./src/git-project.ts";
import type { Clone } from "./src/git-project.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let origin: string;
/** Two developers, and CI, which starts each job in a fresh checkout and commits nothing. */
let ada: Clone;
let ben: Clone;
let ciClone: Clone;
/** The folder of the test's tool. It is also the title, so that tests do not meet. */
let tool: string;
let counter = 0;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

beforeEach(async () => {
  origin = await createOrigin(server);
  ada = await cloneProject(server, origin);
  [ben, ciClone] = await Promise.all([cloneProject(server, origin), cloneProject(server, origin)]);
  tool = `tool-${++counter}`;
});

type JobOptions = { env?: Record<string, string>; args?: string[] };

async function checkOut(commit: string): Promise<void> {
  await ciClone.git("fetch", "--quiet", "origin");
  await ciClone.git("checkout", "--quiet", "--force", "--detach", commit);
  await ciClone.git("clean", "--force", "-dx", "--quiet");
}

/** Runs the job of a commit, by default of the newest one, and returns its exit code. */
async function ci(commit = "origin/main", { env = {}, args = ["--delete"] }: JobOptions = {}) {
  await checkOut(commit);
  return ciClone.run(["push", ...args], { env });
}

/** Runs the job and expects it to succeed. */
async function ciPasses(commit?: string, options?: JobOptions) {
  const { code, stdout, stderr } = await ci(commit, options);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Runs the job and expects it to refuse. */
async function ciRefuses(commit?: string, options?: JobOptions) {
  const { code, stdout, stderr } = await ci(commit, options);
  expect(code, stdout + stderr).toBe(5);
  return stderr;
}

type Listed = { name: string; title: string; version: number };
const toolsOf = async (title = tool) =>
  (expectStatus(200, await server.call("GET", "/tools?limit=200")).body as Listed[]).filter(
    (one) => one.title === title,
  );
async function nameOf(title = tool): Promise<string> {
  const [only, ...rest] = await toolsOf(title);
  expect(rest).toEqual([]);
  return only?.name ?? "";
}
const live = async (name: string) => {
  const { status, body } = await server.call("GET", `/tools/${name}`);
  return status === 404
    ? undefined
    : { mark: markOf(body.source.code as string), version: body.version as number };
};
/** An edit in the console. */
const edit = async (name: string, mark: string) =>
  expectStatus(
    200,
    await server.call("PATCH", `/tools/${name}`, {
      source: { language: "typescript", code: codeOf(mark) },
    }),
  );
const restore = async (name: string, version: number) =>
  expectStatus(200, await server.call("POST", `/tools/${name}/versions/${version}/restore`));
const archive = async (name: string) =>
  expectStatus(204, await server.call("DELETE", `/tools/${name}`));

/** A tool that Ada pushed as version 1, with the lock file in Git. */
async function startLinked(): Promise<string> {
  await ada.write(tool, "one");
  await ada.json(["push", tool]);
  await ada.commit();
  return nameOf();
}

/** A tool that CI created as version 1. No lock file has ever named it. */
async function startFromCi(): Promise<string> {
  await ada.write(tool, "one");
  await ada.commit({ withLock: false });
  await ciPasses();
  return nameOf();
}

const starts = [
  ["with an entry in the lock file", startLinked],
  ["created by CI", startFromCi],
] as const;

/** Commits code without the lock file. */
async function commitMark(mark: string): Promise<string> {
  await ada.write(tool, mark);
  return ada.commit({ withLock: false });
}

describe.each(starts)("CI, for a tool %s", { tags: ["nightly"] }, (_, start) => {
  test("publishes changes and reverts", async () => {
    const name = await start();
    const marks = ["two", "one", "two", "three", "one"];
    for (const [at, mark] of marks.entries()) {
      await commitMark(mark);
      await ciPasses();
      expect(await live(name)).toEqual({ mark, version: at + 2 });
    }
    expect(await ciPasses()).toContain("Nothing to push");
    expect(await nameOf()).toBe(name);
  });

  test("publishes a new title to the same tool", async () => {
    const name = await start();
    await ada.write(tool, "two", { title: `${tool} renamed` });
    await ada.commit({ withLock: false });
    await ciPasses();
    expect(await toolsOf()).toEqual([]);
    expect(await nameOf(`${tool} renamed`)).toBe(name);
  });

  test("archives a tool whose folder a commit deleted, only with --delete", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await ciPasses("origin/main", { args: [] });
    expect(await live(name)).toEqual({ mark: "two", version: 2 });
    await ciPasses();
    expect(await live(name)).toBeUndefined();
    await ciPasses();
  });

  test("archives no tool that was edited in the console since", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await edit(name, "console");
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await ciRefuses();
    expect(await live(name)).toEqual({ mark: "console", version: 3 });
  });

  test("creates a tool again if the deletion of its folder is reverted, and follows it", async () => {
    const name = await start();
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await ciPasses();
    await commitMark("again");
    await ciPasses();
    const next = await nameOf();
    expect(next).not.toBe(name);
    await commitMark("two");
    await ciPasses();
    expect(await live(next)).toEqual({ mark: "two", version: 2 });
    expect(await nameOf()).toBe(next);
  });

  test("does not create a tool again that was archived in the console", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await archive(name);
    await ciPasses();
    expect(await toolsOf()).toEqual([]);
    await commitMark("three");
    await ciRefuses();
    expect(await toolsOf()).toEqual([]);
  });

  test("does not overwrite an edit in the console", async () => {
    const name = await start();
    await edit(name, "console");
    await commitMark("two");
    expect(await ciRefuses()).toContain("changed on both sides");
    expect(await live(name)).toEqual({ mark: "console", version: 2 });
    // Without another change in Git, the job passes and leaves the edit.
    await ada.write(tool, "one");
    await ada.commit({ withLock: false });
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "console", version: 2 });
  });

  test("does not overwrite a rollback in the console", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await restore(name, 1);
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "one", version: 3 });
    await commitMark("three");
    await ciRefuses();
    await ciRefuses();
    expect(await live(name)).toEqual({ mark: "one", version: 3 });
  });

  test("continues after a rollback that is also reverted in Git", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await restore(name, 1);
    await commitMark("one");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "one", version: 3 });
    await commitMark("three");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "three", version: 4 });
  });

  test("continues after an edit in the console that is pulled and committed", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await edit(name, "console");
    await ben.update();
    await ben.json(["pull"]);
    expect(await ben.read(tool)).toBe("console");
    await ben.commit();
    await ciPasses();
    await ada.update();
    await commitMark("three");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "three", version: 4 });
  });

  test("publishes after an edit in the console that was undone there", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await edit(name, "console");
    await restore(name, 2);
    await commitMark("three");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "three", version: 5 });
  });

  test("does not publish again what was rolled back before its commit arrived", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.write(tool, "three");
    await ada.run(["push", tool]);
    await restore(name, 2);
    await ada.commit({ withLock: false });
    expect(await ciRefuses()).toContain("rolled back on the server");
    expect(await live(name)).toEqual({ mark: "two", version: 4 });
  });

  test("does not overwrite a newer commit with an older one", async () => {
    const name = await start();
    const older = await commitMark("two");
    await commitMark("three");
    await ciPasses();
    await ciPasses(older);
    expect(await live(name)).toEqual({ mark: "three", version: 2 });
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await ciPasses();
    await ciPasses(older);
    expect(await toolsOf()).toEqual([]);
  });

  test("continues after a developer published before the commit", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.write(tool, "three");
    await ada.json(["push", tool]);
    await ada.commit({ withLock: false });
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "three", version: 3 });
    await commitMark("four");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "four", version: 4 });
  });

  test("leaves what a developer published from another branch, until it is merged", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ben.update();
    await ben.git("checkout", "--quiet", "-b", "feature");
    await ben.write(tool, "feature");
    await ben.commit({ withLock: false });
    await ben.json(["push", tool]);
    await ben.git("checkout", "--quiet", "--", ".");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "feature", version: 3 });
    await ada.git("fetch", "--quiet", "origin");
    await ada.git("merge", "--quiet", "--no-ff", "--no-edit", "origin/feature");
    await commitMark("merged");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "merged", version: 4 });
  });

  test("refuses when both main and an unmerged branch changed the tool", async () => {
    const name = await start();
    await ben.update();
    await ben.git("checkout", "--quiet", "-b", "feature");
    await ben.write(tool, "feature");
    await ben.commit({ withLock: false });
    await ben.json(["push", tool]);
    await commitMark("two");
    await ciRefuses();
    expect(await live(name)).toEqual({ mark: "feature", version: 2 });
  });

  test("loses nothing without the history of the branch, and continues with it", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.write(tool, "three", { title: `${tool} renamed` });
    const commit = await ada.commit({ withLock: false });
    const { code, stderr } = await shallowJob();
    expect(code).toBe(5);
    expect(stderr).toContain("fetch the history");
    expect(await live(name)).toEqual({ mark: "two", version: 2 });
    expect(await toolsOf(`${tool} renamed`)).toEqual([]);
    await ciPasses(commit);
    expect(await live(name)).toEqual({ mark: "three", version: 3 });
  });

  test("refuses after the history was rewritten, until the server's version is accepted", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.git("reset", "--quiet", "--soft", "HEAD~1");
    await ada.git("commit", "--quiet", "--message", "other");
    await ada.git("push", "--quiet", "--force", "origin", "HEAD");
    await ada.git("reflog", "expire", "--expire=now", "--all");
    await commitMark("three");
    ciClone = await cloneProject(server, origin);
    await ciRefuses();
    expect(await live(name)).toEqual({ mark: "two", version: 2 });
    await ciPasses("origin/main", { args: ["--force", tool] });
    await commitMark("four");
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "four", version: 4 });
  });

  test("archives nothing in a sparse checkout", async () => {
    const name = await start();
    await checkOut("origin/main");
    await ciClone.git("sparse-checkout", "set", "--no-cone", "/*", "!/tools/");
    const { code, stderr } = await ciClone.run(["push", "--delete"]);
    await ciClone.git("sparse-checkout", "disable");
    expect(code, stderr).toBe(0);
    expect(await live(name)).toEqual({ mark: "one", version: 1 });
  });

  test("stays linked when the folder is renamed and the lock file committed", async () => {
    const name = await start();
    await commitMark("two");
    await ciPasses();
    await ada.json(["pull"]);
    const other = `${tool}-renamed`;
    if ((await ada.run(["rename", tool, other])).code !== 0) throw new Error("not renamed");
    await ada.json(["link", other, name]);
    await ada.commit();
    await ciPasses();
    await ada.write(other, "three");
    await ada.commit({ withLock: false });
    await ciPasses();
    await ada.write(other, "two");
    await ada.commit({ withLock: false });
    await ciPasses();
    expect(await live(name)).toEqual({ mark: "two", version: 4 });
  });

  test("publishes nothing and archives nothing when a folder was renamed by hand", async () => {
    const name = await start();
    await ada.git("mv", `tools/${tool}`, `tools/${tool}-moved`);
    await ada.commit({ withLock: false });
    await ciRefuses();
    expect(await live(name)).toEqual({ mark: "one", version: 1 });
  });

  test.each(["before", "after"] as const)(
    "converges if it is killed %s the server published",
    async (when) => {
      const name = await start();
      const commit = await commitMark("two");
      await checkOut(commit);
      const kill = ({ method }: IncomingMessage) => {
        if (method === "PATCH") running.child.kill("SIGKILL");
      };
      const proxy = await startProxy(
        server.baseUrl,
        when === "after"
          ? { after: kill }
          : {
              before: async (request) => {
                kill(request);
                if (request.method !== "PATCH") return;
                await running.result;
                throw new Error("The request is lost.");
              },
            },
      );
      const running = ciClone.start(["push", "--delete"], { env: { TOOLHOST_URL: proxy.url } });
      expect((await running.result).code).toBeNull();
      await proxy.close();
      expect((await live(name))?.mark).toBe(when === "after" ? "two" : "one");
      await commitMark("one");
      await ciPasses();
      expect((await live(name))?.mark).toBe("one");
      await commitMark("three");
      await ciPasses();
      expect((await live(name))?.mark).toBe("three");
    },
  );
});

/** Runs a job in a clone that has only the newest commit. */
async function shallowJob() {
  const shallow = await cloneProject(server, origin);
  const { cwd } = shallow;
  await shallow.git("fetch", "--quiet", "--depth=1", `file://${origin}`, "main");
  await shallow.git("checkout", "--quiet", "--detach", "FETCH_HEAD");
  await shallow.git("update-ref", "-d", "refs/heads/main");
  await shallow.git("remote", "remove", "origin");
  await shallow.git("reflog", "expire", "--expire=now", "--all");
  await writeFile(join(cwd, ".git/shallow"), `${await shallow.git("rev-parse", "HEAD")}\n`);
  await shallow.git("gc", "--quiet", "--prune=now");
  return shallow.run(["push", "--delete"]);
}

describe("CI", () => {
  test("creates one tool if it is killed after the server created it", async () => {
    await ada.write(tool, "one");
    const commit = await ada.commit({ withLock: false });
    await checkOut(commit);
    const proxy = await startProxy(server.baseUrl, {
      after: ({ method }) => {
        if (method === "POST") running.child.kill("SIGKILL");
      },
    });
    const running = ciClone.start(["push", "--delete"], { env: { TOOLHOST_URL: proxy.url } });
    expect((await running.result).code).toBeNull();
    await proxy.close();
    const name = await nameOf();
    // Another runner has no journal of the killed process.
    ciClone = await cloneProject(server, origin);
    await ada.write(tool, "two", { title: `${tool} renamed` });
    await ada.commit({ withLock: false });
    await ciPasses();
    expect(await toolsOf()).toEqual([]);
    expect(await nameOf(`${tool} renamed`)).toBe(name);
  });

  test("does not take over the tool of another repository with the same folder", async () => {
    const name = await startFromCi();
    const elsewhere = await createOrigin(server);
    const other = await cloneProject(server, elsewhere);
    await other.write(tool, "other");
    await other.commit();
    const { code, stderr } = await other.run(["push", "--delete"]);
    expect(code, stderr).toBe(5);
    await other.write(tool, "other", { title: `${tool} other` });
    await other.commit();
    await other.json(["push", "--delete"]);
    expect(await live(name)).toEqual({ mark: "one", version: 1 });
    await other.remove(tool);
    await other.commit();
    await other.json(["push", "--delete"]);
    expect(await live(name)).toEqual({ mark: "one", version: 1 });
    expect(await toolsOf(`${tool} other`)).toEqual([]);
  });
});

describe("push of two developers", () => {
  test("shows what CI published without a lock file", async () => {
    const name = await startFromCi();
    await commitMark("two");
    await ciPasses();
    await ben.update();
    const { tools } = await ben.json(["status"]);
    expect(tools).toMatchObject([{ folder: tool, name, state: "unchanged", serverVersion: 2 }]);
    await ben.write(tool, "ben");
    await ben.json(["push", tool]);
    expect(await live(name)).toEqual({ mark: "ben", version: 3 });
    // Ada has not fetched anything.
    await ada.write(tool, "ada");
    expect((await ada.run(["push", tool])).code).toBe(5);
    expect(await live(name)).toEqual({ mark: "ben", version: 3 });
    expect(await ada.read(tool)).toBe("ada");
  });

  test("refuses to overwrite a rollback of a version that only the lock file lacks", async () => {
    const name = await startLinked();
    await ben.update();
    await ada.write(tool, "two");
    await ada.json(["push", tool]);
    await ada.commit({ withLock: false });
    await restore(name, 1);
    await ben.update();
    await ben.write(tool, "three");
    const { code, stderr } = await ben.run(["push", tool]);
    expect(code).toBe(5);
    expect(stderr).toContain("rolled back on the server");
    expect(await live(name)).toEqual({ mark: "one", version: 3 });
  });

  test("refuses to publish again what was rolled back after an interrupted push", async () => {
    const name = await startLinked();
    await ada.write(tool, "two");
    const proxy = await startProxy(server.baseUrl, {
      after: ({ method }) => {
        if (method === "PATCH") running.child.kill("SIGKILL");
      },
    });
    const running = ada.start(["push", tool], { env: { TOOLHOST_URL: proxy.url } });
    expect((await running.result).code).toBeNull();
    await proxy.close();
    await restore(name, 1);
    expect((await ada.run(["push", tool])).code).toBe(5);
    expect(await live(name)).toEqual({ mark: "one", version: 3 });
    await ada.json(["push", tool, "--force"]);
    expect(await live(name)).toEqual({ mark: "two", version: 4 });
  });
});

describe("init", () => {
  test("writes nothing through a link in the place of .gitignore", async () => {
    const cli = await createCli(server);
    const outside = join(cli.home, "outside");
    await writeFile(outside, "mine\n");
    await symlink(outside, join(cli.cwd, ".gitignore"));
    const { code, stderr } = await cli.run(["init"]);
    expect(code).toBe(2);
    expect(stderr).toContain(".gitignore is not a regular file");
    expect(await readdir(cli.cwd)).toEqual([".gitignore"]);
    expect(await readFile(outside, "utf8")).toBe("mine\n");
  });

  test("adds to a .gitignore once", async () => {
    const cli = await createCli(server);
    await writeFile(join(cli.cwd, ".gitignore"), "mine");
    await cli.json(["init"]);
    const text = await readFile(join(cli.cwd, ".gitignore"), "utf8");
    expect(text).toMatch(/^mine\n\.toolhost\/\n/);
  });
});

describe("status", () => {
  test("mentions the other tools of the workspace only while the project has none", async () => {
    expect((await ada.run(["status"])).stderr).toContain("toolhost pull --all");
    await startLinked();
    expect((await ada.run(["status"])).stderr).toBe("");
    expect((await ada.run(["diff"])).stderr).toBe("");
  });
});
