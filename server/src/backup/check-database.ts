import type { Config } from "#config";
import { checkKeys, findRequiredKeyId } from "#core/vault";
import type { KeyCheck } from "#core/vault";
import { databaseFile, findDamage, findUnknownMigrations, openSqlite } from "#db";
import type { Database } from "#db";
import { createEnvelopes } from "#lib/envelope";
import { messageOf } from "#lib/message-of";
import { readEncryptionKeys } from "../encryption-key.ts";
import { BackupError } from "./backup-error.ts";

/**
 * Checks the database in a folder together with the encryption keys of that folder or the configuration, and then calls
 * `use` with the open database. Throws `BackupError` or `ConfigError` if a service could not start on them.
 */
export async function withCheckedDatabase<T>(
  config: Config,
  folder: string,
  use: (db: Database, keys: KeyCheck & { keyId: string }) => Promise<T>,
): Promise<T> {
  const file = databaseFile(folder);
  const damage = readDamage(file);
  if (damage.length > 0) {
    throw new BackupError(`The database ${file} is damaged: ${damage.join("; ")}.`);
  }
  const db = openSqlite(file);
  try {
    const newer = await findUnknownMigrations(db);
    if (newer.length > 0) {
      throw new BackupError(
        `The database is from a newer version of Toolhost, which added ${newer.join(", ")}. Use that version.`,
      );
    }
    return await use(db, await checkKeysOf(db, { ...config, dataDir: folder }));
  } finally {
    await db.close();
  }
}

function readDamage(file: string): string[] {
  try {
    return findDamage(file);
  } catch (error) {
    return [messageOf(error)];
  }
}

async function checkKeysOf(db: Database, config: Config): Promise<KeyCheck & { keyId: string }> {
  const keyId = await findRequiredKeyId(db);
  if (keyId === undefined) {
    throw new BackupError("The database is empty: the service has not completed its first start.");
  }
  const keys = await checkKeys(db, createEnvelopes(...(await readEncryptionKeys(config, keyId))));
  const isWrong = !keys.opensRoot || (keys.decrypted === 0 && keys.failed > 0);
  if (isWrong) {
    throw new BackupError(
      `The encryption key does not decrypt the database, which needs the key with the ID ${keyId}.`,
    );
  }
  return { ...keys, keyId };
}
