import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allow, createBrowser } from "../server/testing/oauth-client.ts";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const root = join(import.meta.dirname, "..");
let server: Server;
let cli: Cli;

beforeAll(async () => {
  server = await startServer();
  cli = await createCli(server);
});
afterAll(() => server?.stop());

const toolPath = (folder: string, file: string) => join(cli.cwd, "tools", folder, file);

describe("a project", () => {
  test("goes from init to the first run in less than a minute", async () => {
    const startedAt = performance.now();
    await cli.json(["init"]);
    await cli.json(["new", "hello"]);
    const { results } = await cli.json(["push"]);
    expect(results).toMatchObject([{ action: "created", folder: "hello", version: 1 }]);
    const run = await cli.json(["run", "hello", "name=Ada"]);
    expect(run).toMatchObject({ status: "completed", output: { greeting: "Hello, Ada!" } });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(await readFile(join(cli.cwd, ".gitignore"), "utf8")).toContain(".toolhost/");
  });

  test("has types with which the code compiles in strict mode", async () => {
    for (const template of ["http", "credential", "file"]) {
      await cli.json(["new", `typed-${template}`, "--template", template]);
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const args = [compiler, "-p", toolPath(`typed-${template}`, "tsconfig.json")];
      await promisify(execFile)(process.execPath, args);
    }
    await writeFile(
      toolPath("typed-http", "tool.ts"),
      "export default (input: Input): Output => input.nope;",
    );
    const args = [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      toolPath("typed-http", "tsconfig.json"),
    ];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow("Command failed");
  });

  test("reports what needs approval with its link, and approves nothing", async () => {
    const { key } = await server.createKey({
      name: "CI",
      scopes: ["mcp:read", "mcp:execute", "tools:write"],
    });
    const env = { TOOLHOST_API_KEY: key };
    expectStatus(
      201,
      await server.call("POST", "/credentials", {
        name: "GITHUB_TOKEN",
        value: "a secret value",
        hosts: ["api.github.com"],
      }),
    );
    await cli.json(["new", "needs-token", "--template", "credential"]);
    const { results } = await cli.json(["push", "needs-token"], { env });
    const [{ name, approvals }] = results;
    expect(approvals).toMatchObject([{ credential: "GITHUB_TOKEN", reason: "not_approved" }]);
    expect(approvals[0].connectUrl).toMatch(/^http/);
    const { code, stderr } = await cli.run(["run", name, "owner=a", "repository=b", "--json"], {
      env,
    });
    expect(code).toBe(7);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "credentials_missing" });
  });

  test("generates typed functions", async () => {
    await cli.json(["types"]);
    const text = await readFile(join(cli.cwd, "toolhost-tools.ts"), "utf8");
    expect(text).toContain("createTools");
  });
});

describe("test", () => {
  test("passes with the examples, and fails with a report if an output differs", async () => {
    const passed = await cli.json(["test", "hello", "--past", "5"]);
    expect(passed).toMatchObject({ passed: 2, failed: 0 });
    const code = await readFile(toolPath("hello", "tool.ts"), "utf8");
    await writeFile(toolPath("hello", "tool.ts"), code.replace("Hello", "Bye <&"));
    const { code: exitCode, stdout } = await cli.run([
      "test",
      "hello",
      "--junit",
      "out.xml",
      "--json",
    ]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failed: 1,
      results: [
        {
          status: "failed",
          message: '/greeting: expected "Hello, Ada!", received "Bye <&, Ada!"',
        },
      ],
    });
    const xml = await readFile(join(cli.cwd, "out.xml"), "utf8");
    expect(xml).toContain('tests="1" failures="1"');
    expect(xml).toContain("Bye &lt;&amp;, Ada!");
    await writeFile(toolPath("hello", "tool.ts"), code);
    // Nothing was published, and no draft remains.
    expect((await cli.json(["run", "hello", "name=Bo"])).output).toEqual({
      greeting: "Hello, Bo!",
    });
    expect(expectStatus(200, await server.call("GET", "/drafts")).body).toEqual([]);
  });

  test("says what a tool with a file needs, and that dev uploads it", async () => {
    await cli.json(["new", "lines", "--template", "file"]);
    const { code, stderr } = await cli.run(["test", "lines"]);
    expect(code).toBe(0);
    expect(stderr).toContain("toolhost dev lines document=@FILE");
    await writeFile(join(cli.cwd, "lines.txt"), "a\nb\n");
    const once = await cli.run(["dev", "lines", "--once", "--json", "document=@lines.txt"]);
    expect(once.code, once.stderr).toBe(0);
    expect(JSON.parse(once.stdout)).toMatchObject({ output: { lines: 2 } });
  });

  test("deletes the draft, and cancels the run, on Ctrl-C", async () => {
    const code = await readFile(toolPath("hello", "tool.ts"), "utf8");
    const slow = code.replace(
      "ctx.progress",
      "await new Promise((done) => setTimeout(done, 60_000)); ctx.progress",
    );
    await writeFile(toolPath("hello", "tool.ts"), slow);
    const runningNow = async () =>
      expectStatus(200, await server.call("GET", "/runs?status=running")).body as unknown[];
    for (const args of [
      ["test", "hello"],
      ["dev", "hello", "--once"],
    ]) {
      const running = cli.start(args);
      await until("a run", 20_000, async () => (await runningNow()).length > 0);
      running.child.kill("SIGINT");
      const ended = await running.result;
      expect(ended.code, ended.stderr).toBe(130);
      expect(expectStatus(200, await server.call("GET", "/drafts")).body).toEqual([]);
      await until("the end", 5_000, async () => (await runningNow()).length === 0);
    }
    await writeFile(toolPath("hello", "tool.ts"), code);
  });

  test("refuses to repeat real inputs of a tool with effects", async () => {
    const settings = JSON.parse(await readFile(toolPath("hello", "tool.json"), "utf8")) as object;
    await writeFile(toolPath("hello", "tool.json"), JSON.stringify({ ...settings, confirm: true }));
    expect((await cli.run(["test", "hello", "--past", "1"])).code).toBe(2);
    await writeFile(toolPath("hello", "tool.json"), JSON.stringify(settings));
  });
});

describe("dev", () => {
  test("runs the tool in the sandbox after each change, with its log", async () => {
    const running = cli.start(["dev", "hello", "--json"]);
    let text = "";
    running.child.stdout?.on("data", (chunk: string) => (text += chunk));
    type Event = {
      type: string;
      message?: string;
      output?: { greeting: string };
      tookMs?: number;
      code?: string;
    };
    const events = () =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Event);
    const ended = (greeting: string) =>
      until(greeting, 30_000, () => events().find((event) => event.output?.greeting === greeting));
    await ended("Hello, Ada!");
    expect(events()).toContainEqual(
      expect.objectContaining({ type: "log", message: "Greeting Ada" }),
    );
    const code = await readFile(toolPath("hello", "tool.ts"), "utf8");
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      await writeFile(toolPath("hello", "tool.ts"), code.replace("Hello", `Hi ${round}`));
      const startedAt = performance.now();
      await ended(`Hi ${round}, Ada!`);
      times.push(Math.round(performance.now() - startedAt));
    }
    process.stderr.write(`dev: from saving to the result in ${times.join(", ")} ms\n`);
    // The draft is deleted in the console.
    const [draft] = expectStatus(200, await server.call("GET", "/drafts")).body as { id: string }[];
    expectStatus(204, await server.call("DELETE", `/drafts/${draft?.id}`));
    await writeFile(toolPath("hello", "tool.ts"), code.replace("Hello", "Again"));
    await ended("Again, Ada!");
    await writeFile(toolPath("hello", "tool.ts"), "export default (");
    await until("an error", 30_000, () =>
      events().find(({ type, code: name }) => type === "error" && name === "invalid_tool"),
    );
    await writeFile(toolPath("hello", "tool.ts"), code);
    running.child.kill("SIGINT");
    expect((await running.result).code).toBe(0);
    expect(expectStatus(200, await server.call("GET", "/drafts")).body).toEqual([]);
  });
});

describe("run", () => {
  test("converts values to the types of the input schema", async () => {
    const name = await server.makeTool("export default (input) => ({ input })", {
      inputSchema: {
        type: "object",
        properties: {
          count: { type: "integer" },
          code: { type: "string" },
          isOn: { type: "boolean" },
          tags: { type: "array", items: { type: "string" } },
          rest: { type: "object" },
        },
      },
    });
    const words = ["count=3", "code=007", "isOn=true", "tags=a", "tags=b", 'rest:={"x":[1]}'];
    const { output } = await cli.json(["run", name, ...words]);
    const input = { count: 3, code: "007", isOn: true, tags: ["a", "b"], rest: { x: [1] } };
    expect(output).toEqual({ input });
    const fromStdin = await cli.json(["run", name, "--input", "-"], {
      stdin: JSON.stringify(input),
    });
    expect(fromStdin.output).toEqual({ input });
  });

  test("uploads files of file fields", async () => {
    const code = `export default async ({ document }, ctx) => {
      const file = await ctx.files.open(document);
      return { name: file.fileName, text: await file.text() };
    };`;
    const name = await server.makeTool(code, {
      inputSchema: { type: "object", properties: { document: { type: "string" } } },
      fileFields: ["document"],
    });
    await writeFile(join(cli.cwd, "a.txt"), "content");
    const { output } = await cli.json(["run", name, "document=@a.txt"]);
    expect(output).toEqual({ name: "a.txt", text: "content" });
  });

  test("ends with 1 if the tool fails, and shows hostile messages as text", async () => {
    const code = `export default () => {
      console.log("\\u001b]0;title\\u0007\\u009b31m");
      throw new Error("\\u001b[2J gone");
    }`;
    const name = await server.makeTool(code);
    const { code: exitCode, stdout, stderr } = await cli.run(["run", name]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("\\x1b[2J gone");
    const runId = /Run (\S+) failed/.exec(stderr)?.[1] ?? "";
    const log = await cli.run(["logs", runId]);
    // oxlint-disable-next-line no-control-regex -- a terminal interprets them
    expect(stdout + stderr + log.stdout).not.toMatch(/[\u001B\u0007\u009B]/);
    const json = await cli.run(["logs", runId, "--json"]);
    // oxlint-disable-next-line no-control-regex -- a terminal interprets them
    expect(json.stdout).not.toMatch(/[\u001B\u0007\u009B]/);
    expect(await cli.json(["runs", "--failed", "--since", "1h", "--limit", "1"])).toMatchObject([
      { runId },
    ]);
  });

  test("follows, cancels, and says on Ctrl-C what continues", async () => {
    const name = await server.makeTool(`export default async () => {
      for (let n = 0; n < 600; n++) {
        console.log("step", n);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }`);
    const { runId } = await cli.json(["run", name, "--no-wait"]);
    const following = cli.start(["logs", runId, "--follow"]);
    let text = "";
    following.child.stdout?.on("data", (chunk: string) => (text += chunk));
    await until("a line", 20_000, () => text.includes("step 2"));
    await cli.json(["cancel", runId]);
    expect((await following.result).code).toBe(1);
    const waiting = cli.start(["run", name, "--follow"]);
    let log = "";
    waiting.child.stderr?.on("data", (chunk: string) => (log += chunk));
    await until("a line", 20_000, () => log.includes("step 1"));
    waiting.child.kill("SIGINT");
    const { code, stderr } = await waiting.result;
    expect(code).toBe(130);
    const continued = /toolhost cancel (\S+)/.exec(stderr)?.[1] ?? "";
    await cli.json(["cancel", continued]);
    expect((await cli.run(["cancel", continued])).code).toBe(5);
  });

  test("is quiet if the reader of a pipe ends", async () => {
    const script = `"${process.execPath}" "${join(root, "cli/dist/main.js")}" tools --json | head -c 10; echo "codes \${PIPESTATUS[*]}"`;
    const env = { ...process.env, TOOLHOST_URL: server.baseUrl, TOOLHOST_API_KEY: server.apiKey };
    const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], {
      cwd: cli.cwd,
      env,
    });
    expect(stdout).toContain("codes 0 0");
    expect(stderr).toBe("");
  });

  const bash = (script: string) =>
    promisify(execFile)("bash", ["-c", script], {
      cwd: cli.cwd,
      env: {
        ...process.env,
        TOOLHOST: `"${process.execPath}" "${join(root, "cli/dist/main.js")}"`,
        TOOLHOST_URL: server.baseUrl,
        TOOLHOST_API_KEY: server.apiKey,
      },
    });

  test("finishes a push whose reader ends", async () => {
    const folders = ["piped-a", "piped-b", "piped-c"];
    for (const folder of folders) await cli.json(["new", folder]);
    const script = `eval "$TOOLHOST push ${folders.join(" ")}" 2>&1 | true; echo "code \${PIPESTATUS[0]}"`;
    expect((await bash(script)).stdout).toBe("code 0\n");
    const { results } = await cli.json(["push", ...folders]);
    expect(results).toEqual([]);
  });

  test("stops to follow a log whose reader ends", async () => {
    const name = await server.makeTool(`export default async () => {
      for (let n = 0; n < 100; n++) {
        console.log("step", n);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }`);
    const { runId } = await cli.json(["run", name, "--no-wait"]);
    const startedAt = performance.now();
    const script = `eval "$TOOLHOST logs ${runId} -f" | head -1 > /dev/null; echo "code \${PIPESTATUS[0]}"`;
    expect((await bash(script)).stdout).toBe("code 0\n");
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await cli.json(["cancel", runId]);
  });

  test("reports output that cannot be written", async () => {
    const { stdout, stderr } = await bash('eval "$TOOLHOST tools" > /dev/full; echo "code $?"');
    expect(stdout).toBe("code 1\n");
    expect(stderr).toBe("Error: The output could not be written (ENOSPC).\n");
  });

  test("prints its version as JSON, and suggests what is close", async () => {
    expect(await cli.json(["--version"])).toEqual({ version: expect.stringMatching(/^\d/) });
    expect((await cli.run(["push", "--dryrun"])).stderr).toContain("did you mean --dry-run?");
    expect((await cli.run(["pus"])).stderr).toContain("did you mean toolhost push?");
    expect((await cli.run(["nope"])).stderr).not.toContain("did you mean");
  });

  test("reports errors as JSON with exit codes", async () => {
    const errorOf = async (args: string[], env: Record<string, string> = {}) => {
      const { code, stderr, stdout } = await cli.run([...args, "--json"], { env });
      expect(stdout).toBe("");
      return { code, error: JSON.parse(stderr).error };
    };
    expect(await errorOf(["run", "nothing-here"])).toMatchObject({
      code: 4,
      error: { code: "tool_not_found" },
    });
    expect(await errorOf(["unknown"])).toMatchObject({ code: 2, error: { code: "usage" } });
    expect(await errorOf(["run"])).toMatchObject({ code: 2, error: { code: "usage" } });
    expect(await errorOf(["whoami"], { TOOLHOST_API_KEY: "th_wrong" })).toMatchObject({ code: 3 });
    const unreachable = { TOOLHOST_URL: "http://127.0.0.1:9" };
    expect(
      (await cli.run(["whoami"], { env: { ...unreachable, TOOLHOST_API_KEY: "" } })).code,
    ).toBe(3);
  });
});

describe("secret set", () => {
  test("reads the value from stdin, and shows it nowhere", async () => {
    const value = "a very secret value";
    const first = await cli.run(["secret", "set", "NEW_TOKEN", "--hosts", "api.example.com"], {
      stdin: `${value}\n`,
    });
    expect(first.code, first.stderr).toBe(0);
    const second = await cli.run(["secret", "set", "NEW_TOKEN", "--json"], { stdin: `${value} 2` });
    expect(JSON.parse(second.stdout)).toMatchObject({ isNew: false, hosts: ["api.example.com"] });
    const list = await cli.run(["secret", "list"]);
    expect(list.stdout).toContain("NEW_TOKEN");
    const all = [first, second, list].map(({ stdout, stderr }) => stdout + stderr).join("");
    expect(all).not.toContain("secret value");
    expect((await cli.run(["secret", "set", "NEW_TOKEN"], { stdin: "" })).code).toBe(2);
    await cli.json(["secret", "delete", "NEW_TOKEN"]);
    expect((await cli.run(["secret", "list"])).stdout).not.toContain("NEW_TOKEN");
    expect((await cli.run(["secret", "delete", "NEW_TOKEN"])).code).toBe(4);
  });
});

describe("mcp install", () => {
  const cursor = () => join(cli.home, ".cursor/mcp.json");

  test("lists all clients in its help", async () => {
    const { stdout } = await cli.run(["mcp", "install", "--help"]);
    const { clients } = await server.api("GET /install");
    const names = clients.map(({ id }) => id);
    const listed = new Set(stdout.split(/[^a-z-]+/));
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });

  test("adds the server to settings, keeps the others, and backs them up", async () => {
    await mkdir(join(cli.home, ".cursor"));
    const before = JSON.stringify({ other: 1, mcpServers: { mine: { command: "x" } } });
    await writeFile(cursor(), before);
    await chmod(cursor(), 0o600);
    await cli.json(["mcp", "install", "cursor"]);
    const after = JSON.parse(await readFile(cursor(), "utf8")) as object;
    expect(after).toMatchObject({
      other: 1,
      mcpServers: {
        mine: { command: "x" },
        toolhost: { url: expect.stringContaining("/api/mcp") },
      },
    });
    expect(await readFile(`${cursor()}.toolhost-backup`, "utf8")).toBe(before);
    expect((await stat(cursor())).mode & 0o777).toBe(0o600);
    expect(await cli.json(["mcp", "install", "cursor"])).toMatchObject({ isWritten: false });
    expect(await readFile(`${cursor()}.toolhost-backup`, "utf8")).toBe(before);
  });

  test("changes no settings with comments, and prints instead", async () => {
    const text = '{ // mine\n "mcpServers": {} }';
    await writeFile(cursor(), text);
    const { code, stderr } = await cli.run(["mcp", "install", "cursor"]);
    expect(code).toBe(1);
    expect(stderr).toContain("--print");
    expect(await readFile(cursor(), "utf8")).toBe(text);
    const printed = await cli.run(["mcp", "install", "cursor", "--print"]);
    expect(printed.stdout).toContain("mcpServers");
  });

  test("writes no command that a hostile service names, and no other file", async () => {
    const info = {
      mcpUrl: "http://x/$(touch evil)",
      apiKeyUrl: "http://x",
      apiKeyPlaceholder: "K",
      clients: [
        {
          id: "vscode",
          name: "VS Code",
          signIn: "browser",
          steps: [],
          link: null,
          snippet: {
            language: "json",
            file: "~/.bashrc",
            text: JSON.stringify({ servers: { toolhost: { command: "sh", url: "http://x" } } }),
          },
        },
        {
          id: "codex",
          name: "Codex",
          signIn: "browser",
          steps: [],
          link: null,
          snippet: { language: "sh", file: null, text: "touch evil" },
        },
      ],
    };
    const hostile = createServer((_, response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(info)),
    );
    await new Promise<void>((resolve) => void hostile.listen(0, "127.0.0.1", resolve));
    const env = { TOOLHOST_URL: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}` };
    expect((await cli.run(["mcp", "install", "vscode"], { env })).code).toBe(0);
    expect(existsSync(join(cli.cwd, ".vscode"))).toBe(false);
    expect(existsSync(join(cli.home, ".bashrc"))).toBe(false);
    expect((await cli.run(["mcp", "install", "codex"], { env })).code).toBe(2);
    hostile.close();
  });
});

describe("sign-in", () => {
  test("goes through the consent page, refreshes, and is revoked by logout", async () => {
    const signed = await createCli(server, { TOOLHOST_API_KEY: undefined });
    const before = await signed.run(["whoami", "--json"]);
    expect(before.code).toBe(3);
    const running = signed.start(["login", "--no-browser", "--json"]);
    let text = "";
    running.child.stderr?.on("data", (chunk: string) => (text += chunk));
    const address = await until("the address", 20_000, () => /^http\S+$/m.exec(text)?.[0]);
    const browser = createBrowser(server);
    const scope = ["mcp:read", "mcp:execute", "tools:write"];
    const back = await allow(browser, address, server.person, { scope });
    // A redirect of another sign-in is ignored.
    const foreign = new URL(back);
    foreign.searchParams.set("state", "another");
    expect((await fetch(foreign)).status).toBe(404);
    expect((await fetch(back)).status).toBe(200);
    const { code, stdout, stderr } = await running.result;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      scopes: scope,
      user: { email: server.person.email },
    });
    const file = join(signed.home, ".config/toolhost/accounts.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const stored = JSON.parse(await readFile(file, "utf8")) as {
      accounts: Record<string, { accessToken: string; refreshToken: string; expiresAt: number }>;
    };
    const [[url, account] = ["", undefined]] = Object.entries(stored.accounts);
    expect(stdout + stderr).not.toContain(account?.accessToken);
    // The token is refreshed when it has expired, once by several commands at the same time.
    const expired = { ...stored, accounts: { [url]: { ...account, expiresAt: 1 } } };
    await writeFile(file, JSON.stringify(expired));
    const three = await Promise.all([1, 2, 3].map(() => signed.run(["whoami", "--json"])));
    expect(three.map((result) => result.code)).toEqual([0, 0, 0]);
    const renewed = JSON.parse(await readFile(file, "utf8")) as typeof stored;
    expect(renewed.accounts[url]?.refreshToken).not.toBe(account?.refreshToken);
    // A token is sent to no other address.
    const other = await signed.run(["whoami"], { env: { TOOLHOST_URL: "http://localhost:9" } });
    expect(other.code).toBe(3);
    const secret = await signed.run(["secret", "set", "OTHER", "--hosts", "a.example"], {
      stdin: "value",
    });
    expect(secret.code).toBe(3);
    expect(secret.stderr).toContain("credentials:write");
    const startedAt = performance.now();
    expect(await signed.json(["logout"])).toMatchObject({ isRevoked: true });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await signed.run(["whoami"])).code).toBe(3);
    const token = renewed.accounts[url]?.accessToken ?? "";
    expect((await server.callWithKey(token)("GET", "/me")).status).toBe(401);
  });

  test("sends a key to no address that only a project names, and not in plain text", async () => {
    const project = await createCli(server, { TOOLHOST_URL: undefined });
    await writeFile(
      join(project.cwd, "toolhost.json"),
      JSON.stringify({ url: "https://evil.example" }),
    );
    const refused = await project.run(["status"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("TOOLHOST_URL");
    expect(refused.stderr).not.toContain(server.apiKey);
    // Another program of this machine could listen there.
    await writeFile(
      join(project.cwd, "toolhost.json"),
      JSON.stringify({ url: server.baseUrl, tools: "tools" }),
    );
    expect((await project.run(["whoami"])).code).toBe(2);
    expect((await project.run(["whoami", "--url", server.baseUrl])).code).toBe(0);
    const plain = await project.run(["whoami", "--url", "http://tools.example.com"]);
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain("--insecure");
  });
});

describe("the completion", () => {
  test("proposes commands, options and folders in bash", async () => {
    const { stdout } = await cli.run(["completion", "bash"]);
    const script = `toolhost() { "${process.execPath}" "${join(root, "cli/dist/main.js")}" "$@"; }
${stdout}
COMP_WORDS=(toolhost push he); COMP_CWORD=2; _toolhost; echo "\${COMPREPLY[@]}"
COMP_WORDS=(toolhost mcp install cl); COMP_CWORD=3; _toolhost; echo "\${COMPREPLY[@]}"
COMP_WORDS=(toolhost new x --template h); COMP_CWORD=4; _toolhost; echo "\${COMPREPLY[@]}"
COMP_WORDS=(toolhost completion f); COMP_CWORD=2; _toolhost; echo "\${COMPREPLY[@]}"
COMP_WORDS=(toolhost wh); COMP_CWORD=1; _toolhost; echo "\${COMPREPLY[@]}"`;
    const result = await promisify(execFile)("bash", ["-c", script], { cwd: cli.cwd });
    expect(result.stdout).toBe(
      "hello\nclaude-code claude claude-code-sse claude-code-key\nhttp\nfish\nwhoami\n",
    );
  });
});
