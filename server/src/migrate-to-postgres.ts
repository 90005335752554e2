import { join } from "node:path";
import process from "node:process";
import { ConfigError, readConfig } from "#config";
import type { Config } from "#config";
import { databaseFile, explainOutage, moveToPostgres } from "#db";
import { describeFailure, OperatorError } from "#lib/operator-error";
import { readArguments } from "./command-arguments.ts";

readArguments("migrate-to-postgres");

/** Migrates the embedded database in DATA_DIR to the PostgreSQL database in DATABASE_URL. */
try {
  const config = readConfig();
  const { DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL, dataDir } = config;
  if (url === undefined) {
    throw new ConfigError("Set DATABASE_URL to the empty PostgreSQL database to migrate to.");
  }
  const file = databaseFile(dataDir);
  await moveToPostgres({
    dataDir,
    file,
    url,
    onStart: () =>
      print(
        `Migrating ${file}. The file is not changed, and the target is committed only when all data is there.`,
      ),
    onTable: (name, rows) => print(`${name}: ${rows} rows`),
  });
  print(nextSteps(config, file));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function nextSteps(config: Config, file: string): string {
  const { dataDir, ENCRYPTION_KEY: key, FILE_STORAGE: storage } = config;
  const keyLine =
    key === undefined
      ? `Set ENCRYPTION_KEY on every node to the key in ${join(dataDir, "encryption.key")}.`
      : "Set the same ENCRYPTION_KEY on every node.";
  const filesLine =
    storage === "local"
      ? `Files are not stored in the database and stay in ${join(dataDir, "files")}. With one node, use the same DATA_DIR. With several, mount the folder on all of them, or copy its content to the bucket of FILE_STORAGE=s3.`
      : "Files stay in the bucket. Use the same FILE_STORAGE settings on every node.";
  return [
    "Migrated and verified: every row was read back and is identical.",
    "",
    "Next steps:",
    "1. Start Toolhost with this DATABASE_URL, on one machine or several.",
    `2. ${keyLine} A node without it refuses to start.`,
    `3. ${filesLine}`,
    `4. Keep ${file} as a backup. A start without DATABASE_URL would use it again.`,
  ].join("\n");
}

function explain(error: unknown): string {
  const reason = error instanceof OperatorError ? undefined : explainOutage(error);
  if (reason !== undefined) return `Nothing was migrated. ${reason}`;
  return describeFailure(error);
}
