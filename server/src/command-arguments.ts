import process from "node:process";
import { parseArgs } from "node:util";
import { commandLine } from "./installation.ts";

/** The commands of a server: the arguments that each requires, and what it does. */
export const serverCommands = {
  start: { parameters: [], summary: "Start the service" },
  backup: {
    parameters: ["FOLDER"],
    summary: "Back up the embedded database, the files and the encryption key",
  },
  restore: { parameters: ["FOLDER"], summary: "Restore a backup into an empty data folder" },
  "rotate-encryption-key": { parameters: [], summary: "Encrypt all secrets with a new key" },
  "audit:verify": { parameters: [], summary: "Verify the audit log" },
  "migrate-to-postgres": {
    parameters: [],
    summary:
      "Copy the embedded database in DATA_DIR to the empty PostgreSQL database in DATABASE_URL",
  },
} as const satisfies Record<string, { parameters: readonly string[]; summary: string }>;

/** The name of a command of a server. */
export type ServerCommand = keyof typeof serverCommands;

/**
 * Returns the arguments of a command. Ends the process with the usage instead: with 0 for `--help` and `-h`, and with 2 if an
 * argument is missing, unknown or surplus. Call it before the command changes anything.
 */
export function readArguments(
  command: ServerCommand,
  line: string = commandLine(command, ...serverCommands[command].parameters),
): readonly string[] {
  const { parameters, summary } = serverCommands[command];
  const usage = `Usage: ${line}\n`;
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options: { help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (values.help === true) {
      process.stdout.write(`${usage}\n${summary}.\n`);
      process.exit(0);
    }
    if (positionals.length === parameters.length) return positionals;
  } catch {
    // An unknown option. Only the usage says which ones exist.
  }
  process.stderr.write(usage);
  return process.exit(2);
}
