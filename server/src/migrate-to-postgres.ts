import { join } from "node:path";
import process from "node:process";
import { ConfigError, readConfig } from "#config";
import type { Config } from "#config";
import { databaseFile, DataFolderInUseError, explainOutage, MoveError, moveToPostgres } from "#db";

/** Moves the embedded database of DATA_DIR to the PostgreSQL database of DATABASE_URL. */
try {
  const config = readConfig();
  const { DATABASE_URL: url, dataDir } = config;
  if (url === undefined) {
    throw new ConfigError("Set DATABASE_URL to the empty PostgreSQL database to move to.");
  }
  const file = databaseFile(dataDir);
  say(
    `Moving ${file}. Nothing changes in it, and nothing appears in the target before all is there.`,
  );
  await moveToPostgres({
    dataDir,
    file,
    url,
    onTable: (name, rows) => say(`${name}: ${rows} rows`),
  });
  say(whatNext(config, file));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

function whatNext(config: Config, file: string): string {
  const { dataDir, ENCRYPTION_KEY: key, FILE_STORAGE: storage } = config;
  const keyLine =
    key === undefined
      ? `Give every node the key that is in ${join(dataDir, "encryption.key")}, as ENCRYPTION_KEY.`
      : "Give every node the ENCRYPTION_KEY that is set here.";
  const filesLine =
    storage === "local"
      ? `The files of runs are not in the database: they stay in ${join(dataDir, "files")}. Keep that DATA_DIR on one machine, mount the folder on all, or copy what is in it to the bucket of FILE_STORAGE=s3.`
      : "The files of runs stay where they are: give every node the same FILE_STORAGE settings.";
  return [
    "Moved. Every row was read back and is the same.",
    "",
    "What to do next:",
    "1. Start Toolhost with this DATABASE_URL, on one machine or several.",
    `2. ${keyLine} Without it people are signed out and what is encrypted cannot be read.`,
    `3. ${filesLine}`,
    `4. Keep ${file} as a backup. It no longer changes; a start without DATABASE_URL would go on with it.`,
  ].join("\n");
}

function explain(error: unknown): string {
  const isForOperators =
    error instanceof ConfigError ||
    error instanceof DataFolderInUseError ||
    error instanceof MoveError;
  if (isForOperators) return error.message;
  const reason = explainOutage(error);
  if (reason !== undefined) return `Nothing was moved. ${reason}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
