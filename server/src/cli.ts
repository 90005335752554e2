import process from "node:process";
import { useUserFolder } from "./installation.ts";
import { version } from "./version.ts";

/** The commands of a server. Each is a program that reads the arguments after its name. */
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import("./main.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./restore.ts"),
  "rotate-encryption-key": () => import("./rotate-encryption-key.ts"),
  "audit:verify": () => import("./verify-audit.ts"),
  "migrate-to-postgres": () => import("./migrate-to-postgres.ts"),
};

const help = `Usage: toolhost [COMMAND]

Without a command, starts the service. Stop it with Ctrl-C.

Commands:
  start                  Start the service
  backup FOLDER          Back up the embedded database, the files and the encryption key
  restore FOLDER         Restore a backup into an empty data folder
  rotate-encryption-key  Encrypt all secrets with a new key
  audit:verify           Verify the audit log
  migrate-to-postgres    Copy the embedded database to PostgreSQL

Commands of a client (toolhost COMMAND --help; also in the package @toolhost/cli):
  cancel, completion, dev, diff, init, link, login, logout, logs, mcp, new, pull, push, rename, run,
  runs, secret, status, test, tools, types, whoami

Options:
  --help     Show this help
  --version  Show the version

Settings are environment variables, and lines of the file .env in the data folder:
  PORT      Port to listen on (default: 3000)
  DATA_DIR  Folder with all data (default: ~/.toolhost)
`;

/** Runs the command `toolhost` of the package. */
async function runCli(): Promise<void> {
  // The launcher started this process with another Node.js. If it is killed, the service stops as well.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
  const [command = "start"] = process.argv.splice(2, 1);
  if (command === "--version") {
    process.stdout.write(`${version}\n`);
  } else if (command === "--help") {
    process.stdout.write(help);
  } else {
    const run = Object.hasOwn(programs, command) ? programs[command] : undefined;
    if (run === undefined) {
      process.stderr.write(`toolhost has no command "${command}". See toolhost --help.\n`);
      process.exitCode = 2;
      return;
    }
    useUserFolder();
    await run();
  }
}

await runCli();
