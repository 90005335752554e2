import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const outsidePath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const env = { PATH: outsidePath, npm_command: "exec" };
const version = spawnSync("node", ["--version"], { env, encoding: "utf8" }).stdout ?? "";
const hasOldNode = Number(/^v(\d+)/.exec(version)?.[1] ?? 26) < 26;

describe.runIf(process.platform === "linux")("the launcher", () => {
  let folder: string;
  let launcher: string;
  const started: ChildProcess[] = [];
  const pids: number[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "toolhost-launcher-"));
    for (const name of ["bin", "server/dist"]) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "version": "1.0.0" }');
    launcher = join(folder, "bin/toolhost.mjs");
    copyFileSync(join(import.meta.dirname, "toolhost.mjs"), launcher);
    const program = "console.log(process.pid); setInterval(() => {}, 1000);";
    writeFileSync(join(folder, "server/dist/cli.js"), program);
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
    for (const pid of pids.splice(0)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true });
  });

  /** Starts the launcher like npx: from a Node.js process, with a shell in between. */
  const startWithNpx = async (command: string): Promise<{ npx: ChildProcess; pid: number }> => {
    const script = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(command)}], { stdio: "inherit" });`;
    const npx = spawn(process.execPath, ["-e", script], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(npx);
    const [line] = (await once(npx.stdout, "data")) as [Buffer];
    const pid = Number(line);
    pids.push(pid);
    return { npx, pid };
  };
  const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

  it.each(["SIGKILL", "SIGHUP", "SIGQUIT"] as const)(
    "stops the service when npx ends on %s",
    async (signal) => {
      const { npx, pid } = await startWithNpx(`${process.execPath} ${launcher}; true`);
      npx.kill(signal);
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    },
  );

  it("leaves the service running when the parent of npx ends", async () => {
    // Here, npx is the process in the middle, and has started the launcher without a shell.
    const { pid } = await startWithNpx(
      `${process.execPath} -e 'require("node:child_process").spawn(process.execPath, ["${launcher}"], { stdio: "inherit" })' & wait`,
    );
    const [npx] = started;
    npx?.kill("SIGKILL");
    await sleep(1_000);
    expect(isAlive(pid)).toBe(true);
  });

  it("limits the heap and passes arguments on, in the same process", () => {
    const program = "console.log(JSON.stringify([process.pid, process.execArgv, process.argv]));";
    writeFileSync(join(folder, "server/dist/cli.js"), program);
    const { pid, stdout } = spawnSync(process.execPath, [launcher, "backup", "a b"], {
      env,
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual([
      pid,
      ["--max-semi-space-size=8"],
      [process.execPath, launcher, "backup", "a b"],
    ]);
  });

  it.runIf(hasOldNode)("limits the heap of the Node.js that the package brings", () => {
    const bundled = join(folder, `node_modules/@toolhost/node-linux-${process.arch}`);
    mkdirSync(join(bundled, "bin"), { recursive: true });
    writeFileSync(join(bundled, "package.json"), "{}");
    writeFileSync(join(bundled, "bin/node"), '#!/bin/sh\necho "$1 $3"\n', { mode: 0o755 });
    const { stdout } = spawnSync("node", [launcher, "backup"], { env, encoding: "utf8" });
    expect(stdout).toBe("--max-semi-space-size=8 backup\n");
  });

  it.runIf(hasOldNode)("names the library that Node.js cannot load", () => {
    const bundled = join(folder, `node_modules/@toolhost/node-linux-${process.arch}`);
    mkdirSync(join(bundled, "bin"), { recursive: true });
    writeFileSync(join(bundled, "package.json"), "{}");
    writeFileSync(join(bundled, "bin/node"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    const { status, stderr } = spawnSync("node", [launcher], { env, encoding: "utf8" });
    expect(stderr).toBe("Install libatomic1 (Debian, Ubuntu) or libatomic (Fedora).\n");
    expect(status).toBe(127);
  });
});
