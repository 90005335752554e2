import { execFile } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { openConsole } from "./src/console.ts";
import { startFakeRegistry } from "./src/fake-registry.ts";
import type { FakeRegistry } from "./src/fake-registry.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const root = join(import.meta.dirname, "..");
const maxBytes = 300e6;

/** Without the Node.js of this repository, so that the package uses that of the machine, or brings its own. */
const searchPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const run = (program: string, args: string[], cwd: string) =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, PATH: searchPath } });

describe("the package", { timeout: 300_000 }, () => {
  let folder: string;
  let registry: FakeRegistry;
  let server: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolhost-package-"));
    // Otherwise npm may find a package in a folder above.
    await writeFile(join(folder, "package.json"), "{}");
    await run("npm", ["run", "package"], root);
    // As documented, all at once. Two of the packages have a command of the same name.
    const archives = globSync("dist/packages/*.tgz", { cwd: root });
    await run("npm", ["install", ...archives.map((name) => join(root, name))], folder);
    const isLight = (name: string) => name.includes("toolhost-cli");
    const light = archives.filter(isLight).map((name) => join(root, name));
    await run("npm", ["install", "--prefix", "light", ...light], folder);
    registry = await startFakeRegistry();
    registry.add("twice", { main: "index.js" }, { "index.js": "module.exports = (n) => 2 * n;" });
    server = await startServer(
      { npm_config_registry: `${registry.url}/`, HOME: folder, DATA_DIR: "" },
      {
        dataDir: join(folder, ".toolhost"),
        launcher: ["env", `PATH=${searchPath}`, "sh", "-c", `exec npx --prefix ${folder} toolhost`],
        isFirst: true,
      },
    );
  }, 600_000);
  afterAll(async () => {
    await server?.stop();
    registry?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("needs at most 300 MB and no install script", proves("start.package"), () => {
    const files = globSync("node_modules/**/*", { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(maxBytes);
    expect(bytes).toBeGreaterThan(maxBytes / 2);
  });

  test("prints its version on the Node.js of this repository", async () => {
    const command = join(folder, "node_modules/.bin/toolhost");
    const { stdout } = await promisify(execFile)(process.execPath, [command, "--version"]);
    expect(stdout).toBe("0.1.0\n");
  });

  test.each(["node_modules/.bin/toolhost", "light/node_modules/.bin/toolhost"])(
    "runs a tool with %s, on the Node.js of the machine",
    async (command) => {
      const env = {
        PATH: searchPath,
        HOME: folder,
        TOOLHOST_URL: server.baseUrl,
        TOOLHOST_API_KEY: server.apiKey,
      };
      const args = ["run", "text-statistics", "text=Two words.", "--json"];
      const { stdout } = await promisify(execFile)(join(folder, command), args, { env });
      expect(JSON.parse(stdout)).toMatchObject({ status: "completed", output: { words: 2 } });
    },
  );

  test("contains the command line, also alone in less than 5 MB", async () => {
    const entries = globSync("light/node_modules/**/*", { cwd: folder, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const bytes = files.reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
      0,
    );
    expect(bytes).toBeLessThan(5e6);
    const { stderr } = await run(join(folder, "light/node_modules/.bin/toolhost"), [], folder);
    expect(stderr).toContain("npx toolhost");
  });

  test("stores data in the user's home, for the user only", () => {
    expect(statSync(server.dataDir).mode & 0o777).toBe(0o700);
  });

  test("runs a starter tool in the sandbox", proves("start.package"), async () => {
    const { body } = expectStatus(200, await server.call("GET", "/tools"));
    const names = (body as { name: string }[]).map(({ name }) => name);
    const tool = names.find((name) => name.startsWith("text_statistics")) ?? "";
    const { body: ended } = expectStatus(200, await server.run(tool, { text: "Two words." }));
    expect(ended).toMatchObject({ status: "completed", output: { words: 2 } });
  });

  test("builds a tool with a package from npm", async () => {
    const code = `import twice from "twice"; export default ({ n }) => ({ n: twice(n) })`;
    const draft = draftOf(code);
    const source = { ...draft.source, dependencies: { twice: "1.0.0" } };
    const tool = await server.makeTool(code, { source });
    expect((await server.run(tool, { n: 21 })).body.output).toEqual({ n: 42 });
  });

  test.skipIf(!hasBrowser)("checks types in the editor of the console", async () => {
    const { body } = expectStatus(
      201,
      await server.callAsOwner("POST", "/drafts", {
        definition: { ...draftOf(`export const n: number = "text";`), title: "Wrong" },
      }),
    );
    const browser = await startChromium();
    try {
      const { baseUrl, cookie } = server;
      const path = `/drafts/${body.id}`;
      const { page, close } = await openConsole(browser, { baseUrl, cookie, path });
      await page
        .getByRole("region", { name: "Problems" })
        .getByText("Type 'string' is not assignable to type 'number'.")
        .waitFor();
      await close();
    } finally {
      await browser.close();
    }
  });

  test("stops on SIGTERM, and starts again without user namespaces", async () => {
    const { stderr } = await server.end("SIGTERM");
    expect(stderr).not.toContain("Error");
    await server.startAgain({ SANDBOX_ISOLATION: "process" });
    const tool = await server.makeTool("export default () => ({ fine: true })");
    expect((await server.run(tool)).body.output).toEqual({ fine: true });
  });
});
