import { existsSync } from "node:fs";
import process from "node:process";
import { ConfigError, readConfig } from "#config";
import type { Config } from "#config";
import { rotateKeys, RotationError } from "#core/vault";
import type { Rotation } from "#core/vault";
import { databaseFile, DataFolderInUseError, explainOutage, openDatabase } from "#db";
import { createEnvelopes } from "#lib/envelope";
import { adoptNextKey, keyFiles, prepareNextKey, readEncryptionKeys } from "./encryption-key.ts";

/** Moves everything encrypted to ENCRYPTION_KEY from ENCRYPTION_KEY_PREVIOUS, or to a new key file. */
try {
  process.exitCode = await rotate(readConfig());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function rotate(config: Config): Promise<number> {
  const hasFile = config.ENCRYPTION_KEY === undefined;
  if (hasFile && config.DATABASE_URL !== undefined) {
    throw new ConfigError(
      `Set ENCRYPTION_KEY to the new key on every node, and name the present one, of ${keyFiles(config).file}, in ENCRYPTION_KEY_PREVIOUS.`,
    );
  }
  const { database: db, prepared: keys } = await openDatabase(
    config,
    () => undefined,
    async () => {
      if (config.DATABASE_URL === undefined && !existsSync(databaseFile(config.dataDir))) {
        throw new ConfigError(`There is no database in ${config.dataDir}.`);
      }
      return hasFile ? prepareNextKey(config) : readEncryptionKeys(config);
    },
  );
  try {
    if (hasFile) say("The new key is written.");
    // The lock of the data folder says that nobody works on an embedded database.
    const rotation = await rotateKeys(db, createEnvelopes(...keys), {
      say,
      hasNodes: db.dialect !== "sqlite",
    });
    const isWhole = report(rotation);
    if (isWhole && hasFile) {
      await adoptNextKey(config);
      say(`The new key is in ${keyFiles(config).file}. The one before is gone and opens nothing.`);
    }
    if (isWhole && !hasFile) say("Remove ENCRYPTION_KEY_PREVIOUS, and start the nodes again.");
    return isWhole ? 0 : 1;
  } finally {
    await db.close();
  }
}

/** Says what is left at other keys; true when nothing is. */
function report({ moved, unopened }: Rotation): boolean {
  say(`Done: ${moved} secrets were moved to the new key.`);
  for (const [keyId, count] of unopened) {
    say(
      `${count} secrets are left that the key named ${keyId} should open: not given, or altered.`,
    );
  }
  if (unopened.size > 0) say("Give that key in ENCRYPTION_KEY_PREVIOUS and run this again.");
  return unopened.size === 0;
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

function explain(error: unknown): string {
  const isForOperators =
    error instanceof ConfigError ||
    error instanceof DataFolderInUseError ||
    error instanceof RotationError;
  if (isForOperators) return error.message;
  const reason = explainOutage(error);
  if (reason !== undefined) return `Nothing is lost; run this again. ${reason}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
