import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const root = join(import.meta.dirname, "..");
const script = join(root, "cli/action/run.sh");
let server: Server;
let cli: Cli;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** A project with one tool, the command line in PATH, and a `gh` that records its arguments and the comment. */
beforeEach(async () => {
  cli = await createCli(server);
  await cli.json(["init"]);
  await cli.json(["new", "hello"]);
  const bin = join(cli.home, "bin");
  await mkdir(bin);
  const programs = {
    toolhost: `exec "${process.execPath}" "${join(root, "cli/dist/main.js")}" "$@"`,
    gh: `echo "$@" >> "$RUNNER_TEMP/gh"; case "$*" in *--paginate*) cat "$RUNNER_TEMP/earlier" 2>/dev/null;; esac; for word in "$@"; do case "$word" in body=@*) cp "\${word#body=@}" "$RUNNER_TEMP/posted";; esac; done`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/usr/bin/env bash\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
});

async function runAction(env: Record<string, string>) {
  const all = {
    PATH: `${join(cli.home, "bin")}:${process.env["PATH"]}`,
    HOME: cli.home,
    RUNNER_TEMP: cli.home,
    GITHUB_STEP_SUMMARY: join(cli.home, "summary"),
    GITHUB_REPOSITORY: "owner/tools",
    GITHUB_REF: "refs/heads/main",
    DEFAULT_BRANCH: "main",
    IS_FORK: "false",
    PULL_NUMBER: "",
    PULL_REPOSITORY: "",
    JUNIT: "out.xml",
    DELETE: "true",
    TOOLHOST_URL: server.baseUrl,
    TOOLHOST_API_KEY: server.apiKey,
    ...env,
  };
  const options = { cwd: cli.cwd, env: all };
  // The runner reads both streams as one.
  return promisify(execFile)("bash", ["-c", 'exec bash "$0" 2>&1', script], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  );
}

/** The commands that the runner would carry out: those outside of `stop-commands`. */
function commandsOf(output: string): string[] {
  let token: string | undefined;
  return output.split("\n").filter((line) => {
    if (token !== undefined) {
      if (line.trim() === `::${token}::`) token = undefined;
      return false;
    }
    token = /^\s*::stop-commands::(.+)$/.exec(line)?.[1];
    return token === undefined && /^\s*::/.test(line);
  });
}

const stateOfTool = async () => (await cli.json(["status"])).tools[0].state;
const recorded = (file: string) => readFile(join(cli.home, file), "utf8").catch(() => "");

describe("the GitHub Action", () => {
  test("comments the diff and tests in a pull request, and publishes nothing", async () => {
    const path = join(cli.cwd, "tools/hello/tool.json");
    const settings = JSON.parse(await readFile(path, "utf8")) as object;
    const description = "```\n@everyone $(touch evil) `touch evil` ::error::x";
    await writeFile(path, JSON.stringify({ ...settings, description }));
    const pull = {
      GITHUB_EVENT_NAME: "pull_request",
      PULL_NUMBER: "7",
      PULL_REPOSITORY: "owner/tools",
    };
    const { code } = await runAction(pull);
    expect(code).toBe(0);
    expect(await recorded("gh")).toContain("repos/owner/tools/issues/7/comments");
    const posted = await recorded("posted");
    expect(posted).toMatch(/^<!-- toolhost -->\n/);
    const [, fence = ""] = /^(`{3,})diff$/m.exec(posted) ?? [];
    // The quoted text cannot end the fence.
    expect(posted.split("\n").filter((line) => line.trim() === fence)).toHaveLength(1);
    expect(fence.length).toBeGreaterThan(3);
    expect(await recorded("../evil")).toBe("");
    expect(await readFile(join(cli.cwd, "out.xml"), "utf8")).toContain('tests="1"');
    expect(await stateOfTool()).toBe("new");
  });

  const pullRequest = {
    GITHUB_EVENT_NAME: "pull_request",
    PULL_NUMBER: "7",
    PULL_REPOSITORY: "owner/tools",
  };

  test("replaces the comment of an earlier run when no difference is left", async () => {
    await cli.json(["push", "--new"]);
    expect((await runAction(pullRequest)).code).toBe(0);
    expect(await recorded("posted")).toBe("");
    await writeFile(join(cli.home, "earlier"), "41\n42\n");
    expect((await runAction(pullRequest)).code).toBe(0);
    expect(await recorded("gh")).toContain("PATCH repos/owner/tools/issues/comments/41");
    expect(await recorded("posted")).toBe("<!-- toolhost -->\n**Toolhost:** no tool changes.\n");
    await server.call("DELETE", `/tools/${(await cli.json(["status"])).tools[0].name}`);
  });

  test("says in the comment that the tools could not be compared", async () => {
    await writeFile(join(cli.cwd, "tools/hello/tool.json"), "{");
    expect((await runAction(pullRequest)).code).toBe(2);
    expect(await recorded("posted")).toContain("could not be compared");
  });

  test("lets no output be a command for the runner", async () => {
    const attack = "::add-mask::hello";
    for (const name of ["toolhost", "gh"]) {
      const path = join(cli.home, "bin", name);
      const text = await readFile(path, "utf8");
      // The output of `diff` is the comment.
      const print = `echo ${attack} >&2; [[ "$1" == diff ]] || echo ${attack}`;
      await writeFile(path, text.replace("\n", `\n${print}\n`));
    }
    const { stdout } = await runAction(pullRequest);
    expect(stdout).toContain(attack);
    expect(commandsOf(stdout)).toEqual([]);
    const refused = await runAction({ GITHUB_EVENT_NAME: "pull_request_target" });
    expect(commandsOf(refused.stdout)).toEqual([expect.stringMatching(/^::error::/)]);
  });

  test.each([
    [
      "a pull request of a fork",
      { GITHUB_EVENT_NAME: "pull_request", PULL_NUMBER: "7", PULL_REPOSITORY: "evil/tools" },
      0,
    ],
    ["no key", { GITHUB_EVENT_NAME: "push", TOOLHOST_API_KEY: "" }, 0],
    ["pull_request_target", { GITHUB_EVENT_NAME: "pull_request_target", PULL_NUMBER: "7" }, 2],
    ["another branch", { GITHUB_EVENT_NAME: "push", GITHUB_REF: "refs/heads/feature" }, 0],
    ["a fork of the repository", { GITHUB_EVENT_NAME: "push", IS_FORK: "true" }, 0],
  ])("publishes nothing for %s", async (_, env, expected) => {
    expect((await runAction(env)).code).toBe(expected);
    expect(await stateOfTool()).toBe("new");
  });

  test("tests and publishes from the default branch", async () => {
    expect((await runAction({ GITHUB_EVENT_NAME: "push" })).code).toBe(0);
    expect(await stateOfTool()).toBe("unchanged");
  });

  test("publishes nothing if a test fails", async () => {
    const path = join(cli.cwd, "tools/hello/tool.ts");
    const code = await readFile(path, "utf8");
    await writeFile(path, code.replace("Hello", "Bye"));
    expect((await runAction({ GITHUB_EVENT_NAME: "push" })).code).toBe(1);
    // Another test published a tool of the same title.
    expect(["new", "conflict: not linked"]).toContain(await stateOfTool());
  });

  test("interpolates no value of the event into a script", async () => {
    const action = await readFile(join(root, "cli/action/action.yml"), "utf8");
    const scripts = action.split("\n").filter((line) => /^\s+run:/.test(line));
    expect(scripts).toHaveLength(2);
    for (const line of scripts) expect(line).not.toContain("${{");
  });
});
