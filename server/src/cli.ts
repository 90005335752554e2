import process from "node:process";
import { readArguments, serverCommands } from "./command-arguments.ts";
import type { ServerCommand } from "./command-arguments.ts";
import { useUserFolder } from "./installation.ts";
import { version } from "./version.ts";

/** The programs of the commands. Each reads the arguments after its name. */
const programs: Readonly<Record<ServerCommand, () => Promise<unknown>>> = {
  start: () => import("./main.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./restore.ts"),
  "rotate-encryption-key": () => import("./rotate-encryption-key.ts"),
  "audit:verify": () => import("./verify-audit.ts"),
  "migrate-to-postgres": () => import("./migrate-to-postgres.ts"),
};

const commandList = Object.entries(serverCommands)
  .map(([name, { parameters, summary }]) => {
    const usage = [name, ...parameters].join(" ");
    return `  ${usage.padEnd(22)} ${summary}\n`;
  })
  .join("");

const help = `Usage: toolhost [COMMAND]

Without a command, starts the service. Stop it with Ctrl-C.

Commands:
${commandList}
Commands of a client (toolhost COMMAND --help; also in the package @toolhost/cli):
  bridge, cancel, completion, dev, diff, file, import, imports, init, link, login, logout, logs, mcp, new,
  pull, push, rename, run, runs, secret, status, test, tools, types, whoami

Options:
  -h, --help     Show this help, or with a command, its usage
  -v, --version  Show the version

Settings are environment variables, and lines of the file .env in the data folder:
  PORT      Port to listen on (default: 3000)
  DATA_DIR  Folder with all data (default: ~/.toolhost)
`;

/** Options that print a text, and the command that people guess. */
const texts: Readonly<Record<string, string>> = {
  "--help": help,
  "-h": help,
  help,
  "--version": `${version}\n`,
  "-v": `${version}\n`,
};

/** Runs the command `toolhost` of the package. */
async function runCli(): Promise<void> {
  // The launcher started this process with another Node.js. If it is killed, the service stops as well.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
  const [name = "start"] = process.argv.splice(2, 1);
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (text !== undefined) {
    process.stdout.write(text);
  } else if (isServerCommand(name)) {
    readArguments(name, ["toolhost", name, ...serverCommands[name].parameters].join(" "));
    useUserFolder();
    await programs[name]();
  } else {
    process.stderr.write(`toolhost has no command "${name}". See toolhost --help.\n`);
    process.exitCode = 2;
  }
}

function isServerCommand(name: string): name is ServerCommand {
  return Object.hasOwn(programs, name);
}

await runCli();
