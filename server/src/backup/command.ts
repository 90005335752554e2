import process from "node:process";
import { readConfig } from "#config";
import type { Config } from "#config";
import { explainOutage } from "#db";
import { describeFailure, OperatorError } from "#lib/operator-error";
import { BackupError } from "./backup-error.ts";

/** Runs a command with the configuration. Prints an error in one line if the operator can fix it, and exits with 1. */
export async function runCommand(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    const config = readConfig();
    if (config.DATABASE_URL !== undefined) throw new BackupError(postgresAdvice);
    await work(config);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

const postgresAdvice = `This command is for the embedded database, but DATABASE_URL is set. Back up these, in this order:
1. the database, with pg_dump --format=custom
2. the files: DATA_DIR/files, or the S3 bucket
3. the encryption key: ENCRYPTION_KEY, or DATA_DIR/encryption.key
docs/operate/back-up.md has the commands, and those to restore them.`;

function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "SQLITE_FULL") {
      return "The disk is full. Free some space and run the command again.";
    }
    if (error.code === "EACCES") return `Permission denied: ${error.message}`;
  }
  const reason = explainOutage(error);
  if (reason !== undefined) return `${reason} Run the command again.`;
  return describeFailure(error);
}
