import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { buildCli, bundledCli } from "../../cli/build.ts";
import type { Server } from "./server.ts";

/** The oldest Node.js that the command line promises to support, if this machine has one. */
export function findOldestNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders
    .map((folder) => join(folder, "node"))
    .find((file) =>
      spawnSync(file, ["--version"], { encoding: "utf8" }).stdout?.startsWith("v20."),
    );
}

/** How a command ended. */
type CliResult = { code: number | null; stdout: string; stderr: string };

type CliOptions = {
  env?: Record<string, string>;
  stdin?: string;
  /** The Node.js that runs the command; by default the one that runs the tests. */
  node?: string;
};

/** A command that runs. */
type RunningCli = { child: ChildProcess; result: Promise<CliResult> };

/** The bundled command line in a folder, with a home folder and a key of its own. */
export type Cli = {
  cwd: string;
  home: string;
  /** Runs a command until its end. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Runs a command with `--json`, and returns what it printed. Throws if it failed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests check what they use
  json(args: readonly string[], options?: CliOptions): Promise<any>;
  start(args: readonly string[], options?: CliOptions): RunningCli;
};

/** Creates a folder in which commands run, with the key of the server unless `env` has another. */
export async function createCli(
  server: Pick<Server, "workDir" | "baseUrl" | "apiKey">,
  env: Record<string, string | undefined> = {},
): Promise<Cli> {
  await buildCli();
  const home = await mkdtemp(join(server.workDir, "home-"));
  const cwd = join(home, "project");
  await mkdir(cwd);
  const start = (args: readonly string[], options: CliOptions = {}) => {
    const { env: more = {}, stdin = "", node = process.execPath } = options;
    const all = {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      TOOLHOST_URL: server.baseUrl,
      TOOLHOST_API_KEY: server.apiKey,
      ...env,
      ...more,
    };
    const child = spawn(node, [bundledCli, ...args], {
      cwd,
      env: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const text = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.stderr += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    const result = new Promise<CliResult>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, ...text }));
    });
    return { child, result };
  };
  const run = (args: readonly string[], options?: CliOptions) => start(args, options).result;
  return {
    cwd,
    home,
    start,
    run,
    json: async (args, options) => {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      if (code !== 0)
        throw new Error(`toolhost ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as unknown;
    },
  };
}
