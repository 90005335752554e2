import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { startProxy } from "./src/intercepting-proxy.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let cli: Cli;

beforeAll(async () => {
  server = await startServer();
  cli = await createCli(server);
  await cli.json(["init"]);
});
afterAll(() => server?.stop());

const codeOf = (mark: string) => `export default () => ({ mark: ${JSON.stringify(mark)} });\n`;
const pathOf = (folder: string, file = "tool.ts") => join(cli.cwd, "tools", folder, file);
const readCode = (folder: string) => readFile(pathOf(folder), "utf8").catch(() => undefined);
const editHere = (folder: string, mark: string) => writeFile(pathOf(folder), codeOf(mark));
const deleteHere = (folder: string) => rm(join(cli.cwd, "tools", folder), { recursive: true });

async function writeTool(folder: string, mark: string, title = folder): Promise<void> {
  await mkdir(join(cli.cwd, "tools", folder), { recursive: true });
  const settings = {
    title,
    description: "A tool of a test.",
    inputSchema: { type: "object" },
    source: { language: "typescript" },
  };
  await writeFile(pathOf(folder, "tool.json"), JSON.stringify(settings));
  await editHere(folder, mark);
}

const readLock = async () =>
  JSON.parse(await readFile(join(cli.cwd, "toolhost.lock.json"), "utf8")) as {
    tools: Record<string, { name: string; version: number }>;
  };
const nameOf = async (folder: string) => (await readLock()).tools[folder]?.name ?? "";
async function forget(folder: string): Promise<void> {
  const lock = await readLock();
  delete lock.tools[folder];
  await writeFile(join(cli.cwd, "toolhost.lock.json"), JSON.stringify(lock));
}

const live = (name: string) => server.call("GET", `/tools/${name}`);
const liveCode = async (name: string) => (await live(name)).body.source?.code as string | undefined;
const editThere = async (name: string, mark: string) =>
  expectStatus(
    200,
    await server.call("PATCH", `/tools/${name}`, {
      source: { language: "typescript", code: codeOf(mark) },
    }),
  );
const createKey = async (): Promise<string> => {
  const draft = {
    name: "other",
    scopes: ["mcp:read", "mcp:execute", "tools:write"],
  };
  return expectStatus(201, await server.callAsOwner("POST", "/api-keys", draft)).body.key;
};
const archive = async (name: string) =>
  expectStatus(204, await server.call("DELETE", `/tools/${name}`));
const namesOfTitle = async (title: string) =>
  (
    expectStatus(200, await server.call("GET", "/tools?limit=200")).body as {
      name: string;
      title: string;
    }[]
  )
    .filter((tool) => tool.title === title)
    .map(({ name }) => name);

type Case = {
  what: string;
  /** Changes both sides, after a push of version 1 with the mark "base". */
  change: (folder: string, name: string) => Promise<unknown>;
  state: string;
  /** Exit codes, and the marks here and on the server after each command. Undefined: does not exist. */
  push: { code: number; here: string | undefined; there: string | undefined };
  pull: { code: number; here: string | undefined; there: string | undefined };
};

// Every case runs twice: once with a push, and once with a pull. "here" and "there" are edits that must not be lost.
const cases: Case[] = [
  {
    what: "nothing changed",
    change: async () => {},
    state: "unchanged",
    push: { code: 0, here: "base", there: "base" },
    pull: { code: 0, here: "base", there: "base" },
  },
  {
    what: "changed here",
    change: (folder) => editHere(folder, "here"),
    state: "changed",
    push: { code: 0, here: "here", there: "here" },
    pull: { code: 0, here: "here", there: "base" },
  },
  {
    what: "changed on the server",
    change: (_, name) => editThere(name, "there"),
    state: "changed on the server",
    push: { code: 0, here: "base", there: "there" },
    pull: { code: 0, here: "there", there: "there" },
  },
  {
    what: "changed on both sides",
    change: async (folder, name) => {
      await editHere(folder, "here");
      await editThere(name, "there");
    },
    state: "conflict: changed on both sides",
    push: { code: 5, here: "here", there: "there" },
    pull: { code: 5, here: "here", there: "there" },
  },
  {
    what: "the same change on both sides",
    change: async (folder, name) => {
      await editHere(folder, "same");
      await editThere(name, "same");
    },
    state: "same change",
    push: { code: 0, here: "same", there: "same" },
    pull: { code: 0, here: "same", there: "same" },
  },
  {
    what: "deleted here",
    change: (folder) => deleteHere(folder),
    state: "deleted",
    push: { code: 0, here: undefined, there: "base" },
    pull: { code: 0, here: "base", there: "base" },
  },
  {
    what: "deleted here, changed on the server",
    change: async (folder, name) => {
      await deleteHere(folder);
      await editThere(name, "there");
    },
    state: "conflict: deleted here, changed on the server",
    push: { code: 0, here: undefined, there: "there" },
    pull: { code: 0, here: "there", there: "there" },
  },
  {
    what: "archived on the server",
    change: (_, name) => archive(name),
    state: "archived on the server",
    push: { code: 0, here: "base", there: undefined },
    pull: { code: 0, here: "base", there: undefined },
  },
  {
    what: "changed here, archived on the server",
    change: async (folder, name) => {
      await editHere(folder, "here");
      await archive(name);
    },
    state: "conflict: changed here, archived on the server",
    push: { code: 5, here: "here", there: undefined },
    pull: { code: 5, here: "here", there: undefined },
  },
  {
    what: "deleted here, archived on the server",
    change: async (folder, name) => {
      await deleteHere(folder);
      await archive(name);
    },
    state: "gone",
    push: { code: 0, here: undefined, there: undefined },
    pull: { code: 0, here: undefined, there: undefined },
  },
  {
    what: "changed on the server and back",
    change: async (folder, name) => {
      await editThere(name, "there");
      await editThere(name, "base");
      await editHere(folder, "here");
    },
    state: "changed",
    push: { code: 0, here: "here", there: "here" },
    pull: { code: 0, here: "here", there: "base" },
  },
  {
    what: "changed here, only the visibility on the server",
    change: async (folder, name) => {
      await editHere(folder, "here");
      expectStatus(200, await server.call("PATCH", `/tools/${name}`, { visibility: "private" }));
    },
    state: "conflict: changed on both sides",
    push: { code: 5, here: "here", there: "base" },
    pull: { code: 5, here: "here", there: "base" },
  },
  {
    what: "Windows line ends and another order in tool.json",
    change: async (folder) => {
      await writeFile(pathOf(folder), codeOf("base").replaceAll("\n", "\r\n"));
      const settings = JSON.parse(await readFile(pathOf(folder, "tool.json"), "utf8")) as object;
      const turned = Object.fromEntries(Object.entries(settings).toReversed());
      await writeFile(pathOf(folder, "tool.json"), JSON.stringify(turned));
    },
    state: "unchanged",
    push: { code: 0, here: "base", there: "base" },
    pull: { code: 0, here: "base", there: "base" },
  },
  {
    what: "the lock file lost, same content",
    change: (folder) => forget(folder),
    state: "same change",
    push: { code: 0, here: "base", there: "base" },
    pull: { code: 0, here: "base", there: "base" },
  },
  {
    what: "the lock file lost, changed here",
    change: async (folder) => {
      await forget(folder);
      await editHere(folder, "here");
    },
    state: "conflict: not linked",
    push: { code: 5, here: "here", there: "base" },
    pull: { code: 5, here: "here", there: "base" },
  },
  {
    what: "the folder renamed by hand, same content",
    change: async (folder) => {
      await deleteHere(folder);
      await writeTool(`${folder}-new`, "base", folder);
    },
    state: "deleted",
    push: { code: 0, here: undefined, there: "base" },
    pull: { code: 0, here: "base", there: "base" },
  },
];

describe.each(["push", "pull"] as const)("%s", (command) => {
  // All states are tested for each change in cli/src/project/compare.test.ts.
  test.each(cases.map((one, at) => ({ ...one, at })))(
    "loses no edit: $what",
    { tags: ["nightly"] },
    async ({ at, ...one }) => {
      const folder = `${command}-${at}`;
      await writeTool(folder, "base");
      await cli.json(["push", folder]);
      const name = await nameOf(folder);
      await one.change(folder, name);
      const { tools } = await cli.json(["status"]);
      const state = tools.find((tool: { folder: string }) => tool.folder === folder)?.state;
      expect(state).toBe(one.state);
      const before = await namesOfTitle(folder);
      const { code, stderr } = await cli.run([command, folder]);
      const expected = one[command];
      expect(code, stderr).toBe(expected.code);
      const here = await readCode(folder);
      expect(here?.replaceAll("\r\n", "\n")).toBe(expected.here && codeOf(expected.here));
      expect(await liveCode(name)).toBe(expected.there && codeOf(expected.there));
      // No tool is doubled.
      expect(await namesOfTitle(folder)).toEqual(before);
    },
  );
});

describe("push", () => {
  test("creates a tool beside one of the same title only with --new", async () => {
    await writeTool("twin", "first");
    await cli.json(["push", "twin"]);
    const name = await nameOf("twin");
    await forget("twin");
    await deleteHere("twin");
    await writeTool("twin-2", "second", "twin");
    const { code, stderr } = await cli.run(["push", "twin-2"]);
    expect(code).toBe(5);
    expect(stderr).toContain(`toolhost link twin-2 ${name}`);
    await cli.json(["push", "twin-2", "--new"]);
    expect(await namesOfTitle("twin")).toHaveLength(2);
  });

  test("overwrites with --force what it has shown, and archives with --delete", async () => {
    await writeTool("forced", "base");
    await cli.json(["push", "forced"]);
    const name = await nameOf("forced");
    await editHere("forced", "here");
    await editThere(name, "there");
    const { results } = await cli.json(["push", "forced", "--force"]);
    expect(results).toMatchObject([{ action: "updated", name, version: 3 }]);
    expect(await liveCode(name)).toBe(codeOf("here"));
    await deleteHere("forced");
    await cli.json(["push", "forced", "--delete"]);
    expect((await live(name)).status).toBe(404);
    expect((await readLock()).tools).not.toHaveProperty("forced");
  });

  test("publishes nothing if one of several tools is in conflict", async () => {
    await writeTool("one", "base");
    await writeTool("two", "base");
    await cli.json(["push", "one", "two"]);
    await editHere("one", "here");
    await editHere("two", "here");
    await editThere(await nameOf("two"), "there");
    const { code, stderr } = await cli.run(["push", "one", "two", "--json"]);
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "conflict", conflicts: [{ folder: "two" }] },
    });
    expect(await liveCode(await nameOf("one"))).toBe(codeOf("base"));
  });

  test("renames a folder and stays linked", async () => {
    await writeTool("before", "base");
    await cli.json(["push", "before"]);
    const name = await nameOf("before");
    await cli.json(["rename", "before", "after"]);
    await editHere("after", "here");
    await cli.json(["push", "after"]);
    expect(await nameOf("after")).toBe(name);
    expect(await liveCode(name)).toBe(codeOf("here"));
  });

  test("follows a folder that was renamed by hand only after it is linked", async () => {
    await writeTool("old-name", "base");
    await cli.json(["push", "old-name"]);
    const name = await nameOf("old-name");
    await rename(join(cli.cwd, "tools/old-name"), join(cli.cwd, "tools/new-name"));
    expect((await cli.run(["push"])).code).toBe(5);
    expect(await namesOfTitle("old-name")).toEqual([name]);
    await cli.json(["link", "new-name", name]);
    await editHere("new-name", "here");
    await cli.json(["push", "new-name"]);
    expect(await liveCode(name)).toBe(codeOf("here"));
  });

  test("does not overwrite a version that appears between comparing and publishing", async () => {
    await writeTool("race", "base");
    await cli.json(["push", "race"]);
    const name = await nameOf("race");
    await editHere("race", "here");
    const proxy = await startProxy(server.baseUrl, {
      before: async ({ method }) => {
        if (method === "PATCH") await editThere(name, "there");
      },
    });
    const { code, stderr } = await cli.run(["push", "race"], { env: { TOOLHOST_URL: proxy.url } });
    await proxy.close();
    expect(code, stderr).toBe(5);
    expect(await liveCode(name)).toBe(codeOf("there"));
    expect(await readCode("race")).toBe(codeOf("here"));
  });

  test.each(["changed", "same", "same, another key"])(
    "creates one tool if it is killed after the server created it (%s since)",
    async (since) => {
      const folder = `killed-${since.replaceAll(/\W+/g, "-")}`;
      await writeTool(folder, "base");
      const proxy = await startProxy(server.baseUrl, {
        after: ({ method }) => {
          if (method === "POST") running.child.kill("SIGKILL");
        },
      });
      const env = { TOOLHOST_URL: proxy.url };
      const running = cli.start(["push", folder], { env });
      expect((await running.result).code).toBeNull();
      const names = await namesOfTitle(folder);
      expect(names).toHaveLength(1);
      if (since === "changed") await editHere(folder, "here");
      const key = since === "same, another key" ? await createKey() : server.apiKey;
      await cli.json(["push", folder], { env: { ...env, TOOLHOST_API_KEY: key } });
      await proxy.close();
      expect(await namesOfTitle(folder)).toEqual(names);
      expect(await nameOf(folder)).toBe(names[0]);
      expect(await liveCode(names[0] ?? "")).toBe(codeOf(since === "changed" ? "here" : "base"));
    },
  );

  test.each(["deleted", "changed", "not named"])(
    "publishes nothing of an interrupted creation whose folder is %s since",
    async (since) => {
      const folder = `interrupted-${since.replace(" ", "-")}`;
      await writeTool(folder, "base");
      await writeTool("named", "base");
      const proxy = await startProxy(server.baseUrl, {
        before: async ({ method }) => {
          if (method !== "POST" || running.child.killed) return;
          running.child.kill("SIGKILL");
          await running.result;
          throw new Error("The request is lost.");
        },
      });
      const env = { TOOLHOST_URL: proxy.url };
      const running = cli.start(["push", folder], { env });
      expect((await running.result).code).toBeNull();
      const before = await namesOfTitle(folder);
      if (since === "deleted") await deleteHere(folder);
      if (since === "changed") await editHere(folder, "here");
      await cli.json(["push", since === "changed" ? folder : "named"], { env });
      await proxy.close();
      const names = await namesOfTitle(folder);
      expect(names).toHaveLength(since === "changed" ? 1 : before.length);
      if (since === "changed") expect(await liveCode(names[0] ?? "")).toBe(codeOf("here"));
    },
  );

  test("publishes nothing that a file of the project calls an interrupted creation", async () => {
    await writeTool("honest", "base");
    const { workspace } = expectStatus(200, await server.call("GET", "/me")).body;
    await mkdir(join(cli.cwd, ".toolhost/pending"), { recursive: true });
    const definition = {
      title: "hidden",
      description: "A tool of a test.",
      inputSchema: { type: "object" },
      source: { language: "typescript", code: codeOf("hidden") },
    };
    const startedAt = new Date().toISOString();
    const entry = { key: randomUUID(), startedAt, workspace: workspace.id, hash: "x", definition };
    await writeFile(join(cli.cwd, ".toolhost/pending/x.json"), JSON.stringify(entry));
    await cli.json(["push", "honest"]);
    expect(await namesOfTitle("hidden")).toEqual([]);
    await rm(join(cli.cwd, ".toolhost/pending"), { recursive: true });
  });

  test("loses nothing if it is killed after the server published a version", async () => {
    await writeTool("killed-update", "base");
    await cli.json(["push", "killed-update"]);
    const name = await nameOf("killed-update");
    await editHere("killed-update", "here");
    const proxy = await startProxy(server.baseUrl, {
      after: ({ method }) => {
        if (method === "PATCH") running.child.kill("SIGKILL");
      },
    });
    const running = cli.start(["push", "killed-update"], { env: { TOOLHOST_URL: proxy.url } });
    expect((await running.result).code).toBeNull();
    await proxy.close();
    expect(await liveCode(name)).toBe(codeOf("here"));
    const { results } = await cli.json(["push", "killed-update"]);
    expect(results).toMatchObject([{ action: "linked" }]);
    expect((await live(name)).body.version).toBe(2);
  });

  const git = (...args: string[]) =>
    promisify(execFile)(
      "git",
      ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args],
      { cwd: cli.cwd },
    );
  const commit = async (...paths: string[]) => {
    await git("init", "--quiet");
    await git("add", ...paths);
    await git("commit", "--quiet", "--message", "change");
  };

  test("publishes from CI, which does not commit the lock file", async () => {
    await writeTool("ci", "one");
    await commit("tools/ci");
    await cli.json(["push", "ci"]);
    await commit("toolhost.lock.json");
    const name = await nameOf("ci");
    for (const mark of ["two", "three", "four"]) {
      await git("checkout", "--quiet", "toolhost.lock.json");
      if (mark === "four") await forget("ci");
      await editHere("ci", mark);
      await commit("tools/ci");
      await cli.json(["push", "ci"]);
      expect(await liveCode(name)).toBe(codeOf(mark));
    }
    expect(await namesOfTitle("ci")).toEqual([name]);
    // A change in the console is in no commit.
    await editThere(name, "console");
    await forget("ci");
    await editHere("ci", "five");
    await commit("tools/ci");
    expect((await cli.run(["push", "ci"])).code).toBe(5);
    expect(await liveCode(name)).toBe(codeOf("console"));
  });

  test("does not overwrite the tool of a colleague who used the same template", async () => {
    await writeTool("template", "base");
    await cli.json(["push", "template"]);
    const name = await nameOf("template");
    // The lock file of this project never named it.
    await forget("template");
    await commit("tools/template");
    await editHere("template", "here");
    await commit("tools/template");
    const { code, stderr } = await cli.run(["push", "template"]);
    expect(code).toBe(5);
    expect(stderr).toContain("toolhost push template --new");
    expect(await liveCode(name)).toBe(codeOf("base"));
  });

  test("publishes no file that a link leads to", async () => {
    const secret = join(cli.home, "secret");
    await writeFile(secret, "export default () => 'secret'");
    await writeTool("linked", "base");
    await rm(pathOf("linked"));
    await symlink(secret, pathOf("linked"));
    const { code, stderr } = await cli.run(["push", "linked"]);
    expect(code).toBe(2);
    expect(stderr).toContain("not a regular file");
    await rm(join(cli.cwd, "tools", "linked"), { recursive: true });
  });
});

describe("pull", () => {
  test("writes a tool that is only on the server, and nothing for hostile titles outside of the project", async () => {
    const title = "\u001B[2J../../../etc \u202Epasswd";
    const code = codeOf("there");
    const created = await server.call("POST", "/tools", {
      title: "../../../escape",
      description: title.replaceAll("\u001B", ""),
      inputSchema: { type: "object" },
      source: { language: "typescript", code },
    });
    const { name } = expectStatus(201, created).body;
    const { results } = await cli.json(["pull", name]);
    expect(results[0].folder).toMatch(/^[a-z0-9-]+$/);
    expect(await readCode(results[0].folder)).toBe(code);
    expect(existsSync(join(cli.home, "escape"))).toBe(false);
    const { stdout } = await cli.run(["status"]);
    // oxlint-disable-next-line no-control-regex -- a terminal interprets them
    expect(stdout).not.toMatch(/[\u001B\u202E]/);
  });

  test("rejects a lock file and a project that lead outside of the project", async () => {
    const lockPath = join(cli.cwd, "toolhost.lock.json");
    const saved = await readFile(lockPath, "utf8");
    const entry = { name: "text_statistics_abcd", version: 1, hash: "sha256-x" };
    await writeFile(lockPath, JSON.stringify({ tools: { "../../evil": entry } }));
    expect((await cli.run(["pull", "--force"])).code).toBe(2);
    await writeFile(lockPath, saved);
    const projectPath = join(cli.cwd, "toolhost.json");
    const project = await readFile(projectPath, "utf8");
    await writeFile(
      projectPath,
      JSON.stringify({ ...(JSON.parse(project) as object), tools: "../elsewhere" }),
    );
    expect((await cli.run(["pull", "--all"])).code).toBe(2);
    await rename(join(cli.cwd, "tools"), join(cli.home, "moved"));
    await symlink(join(cli.home, "moved"), join(cli.cwd, "tools"));
    await writeFile(projectPath, project);
    expect((await cli.run(["pull", "--all"])).code).toBe(2);
    await rm(join(cli.cwd, "tools"));
    await rename(join(cli.home, "moved"), join(cli.cwd, "tools"));
  });

  test("overwrites changes only with --force", async () => {
    await writeTool("discard", "base");
    await cli.json(["push", "discard"]);
    const name = await nameOf("discard");
    await editHere("discard", "here");
    await editThere(name, "there");
    await cli.json(["pull", "discard", "--force"]);
    expect(await readCode("discard")).toBe(codeOf("there"));
    const { tools } = await cli.json(["status"]);
    expect(tools).toContainEqual(
      expect.objectContaining({ folder: "discard", state: "unchanged" }),
    );
  });
});
