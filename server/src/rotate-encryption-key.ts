import process from "node:process";
import { ConfigError, readConfig } from "#config";
import type { Config } from "#config";
import { rotateKeys } from "#core/vault";
import type { Rotation } from "#core/vault";
import { explainOutage, openDatabase, requireDatabase } from "#db";
import { createEnvelopes } from "#lib/envelope";
import { describeFailure, OperatorError } from "#lib/operator-error";
import { readArguments } from "./command-arguments.ts";
import { adoptNextKey, configuredKeys, keyFiles, prepareNextKey } from "./encryption-key.ts";

readArguments("rotate-encryption-key");

/** Re-encrypts all secrets with ENCRYPTION_KEY, or with a new key file if none is set. */
try {
  process.exitCode = await rotate(readConfig());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function rotate(config: Config): Promise<number> {
  const configured = configuredKeys(config);
  const hasFile = configured === undefined;
  if (hasFile && config.DATABASE_URL !== undefined) {
    throw new ConfigError(
      `Set ENCRYPTION_KEY to the new key on every node, and ENCRYPTION_KEY_PREVIOUS to the current key in ${keyFiles(config).file}.`,
    );
  }
  // Checked before the lock, which would turn a wrong folder into a data folder.
  if (config.DATABASE_URL === undefined) requireDatabase(config.dataDir);
  const { database: db, prepared: keys } = await openDatabase(
    config,
    () => undefined,
    async () => configured ?? prepareNextKey(config),
  );
  try {
    if (hasFile) print("Wrote the new key.");
    // The lock of the data folder guarantees that no service uses an embedded database.
    const rotation = await rotateKeys(db, createEnvelopes(...keys), {
      onProgress: print,
      hasNodes: db.dialect !== "sqlite",
    });
    const isComplete = report(rotation);
    if (isComplete && hasFile) {
      await adoptNextKey(config);
      print(
        `The new key is in ${keyFiles(config).file}. The previous key was deleted and decrypts nothing anymore.`,
      );
    }
    if (isComplete && !hasFile) print("Remove ENCRYPTION_KEY_PREVIOUS and restart the nodes.");
    return isComplete ? 0 : 1;
  } finally {
    await db.close();
  }
}

/** Prints the secrets that remain encrypted with other keys. Returns whether there are none. */
function report({ moved, unopened }: Rotation): boolean {
  print(`Done: re-encrypted ${moved} secrets with the new key.`);
  for (const [keyId, count] of unopened) {
    print(`${count} secrets need the key ${keyId}, which was not provided, or they were altered.`);
  }
  if (unopened.size > 0)
    print("Add that key to ENCRYPTION_KEY_PREVIOUS and run this command again.");
  return unopened.size === 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function explain(error: unknown): string {
  const reason = error instanceof OperatorError ? undefined : explainOutage(error);
  if (reason !== undefined) return `${reason} No data was lost. Run this command again.`;
  return describeFailure(error);
}
