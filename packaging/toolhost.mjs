#!/usr/bin/env node
// Starts the service and its commands on the Node.js that runs this file if it is recent enough, and otherwise on the one that is
// installed with the package. All other commands are those of the command line, which runs on any. Plain JavaScript that Node.js 20
// understands.
import { spawn } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const requiredMajor = 26;
const cli = new URL("../server/dist/cli.js", import.meta.url);

/** Commands of the server, as in server/src/command-arguments.ts, and `help`. Without a command, the service starts. */
const serverCommands = [
  "start",
  "backup",
  "restore",
  "rotate-encryption-key",
  "audit:verify",
  "migrate-to-postgres",
  "help",
];
const [command] = process.argv.slice(2);

/** Node.js lets the young generation of the heap grow to three times 16 MB by default. */
const heapFlag = "--max-semi-space-size=8";

if (command !== undefined && !command.startsWith("-") && !serverCommands.includes(command)) {
  const { runCli } = await import("../cli/dist/run-cli.js");
  await runCli(process.argv.slice(2));
} else if (Number(process.versions.node.split(".")[0]) >= requiredMajor) {
  if (!process.execArgv.includes(heapFlag)) restartWithFlag();
  stopWithShell(() => process.kill(process.pid, "SIGTERM"));
  await import(cli.href);
} else {
  const node = findNode();
  if (node === undefined) process.exitCode = 1;
  else run(node);
}

/** Starts this program again in the same process, because V8 reads the flag only at its start. */
function restartWithFlag() {
  const args = [...process.execArgv, heapFlag, fileURLToPath(import.meta.url)];
  process.execve(process.execPath, [process.execPath, ...args, ...process.argv.slice(2)]);
}

function findNode() {
  const name = `@toolhost/node-${process.platform}-${process.arch}`;
  try {
    const { resolve } = createRequire(import.meta.url);
    return join(dirname(resolve(`${name}/package.json`)), "bin/node");
  } catch {
    const { version } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    process.stderr.write(
      `Toolhost needs Node.js ${requiredMajor} or later, and this is ${process.versions.node}. ` +
        `Install Node.js ${requiredMajor}, or the package ${name}@${version}.\n`,
    );
    return undefined;
  }
}

/** Runs the command as a child, which stops when this process ends. */
function run(node) {
  const child = spawn(node, [heapFlag, fileURLToPath(cli), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  child.channel?.unref();
  for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"]) {
    process.on(signal, () => child.kill(signal));
  }
  stopWithShell(() => child.kill("SIGTERM"));
  child.once("error", (error) => {
    process.stderr.write(`${node} cannot run: ${error.message}\n`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => {
    // The loader found no libatomic, which Node.js needs. It has printed that.
    if (code === 127) {
      process.stderr.write("Install libatomic1 (Debian, Ubuntu) or libatomic (Fedora).\n");
    }
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/**
 * npx runs the command in a shell. The shell ends on a signal to npx without passing it on, and stays if npx is killed.
 */
function stopWithShell(stop) {
  if (process.env.npm_command !== "exec") return;
  const shell = process.ppid;
  const npx = parentOfShell(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOfShell(shell) === npx) return;
    clearInterval(timer);
    stop();
  }, 250);
  timer.unref();
}

/** Undefined if the process is npx itself, because the shell has become this program. */
function parentOfShell(shell) {
  try {
    if (basename(readlinkSync(`/proc/${shell}/exe`)).startsWith("node")) return undefined;
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${shell}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
