import { randomBytes } from "node:crypto";
import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "#config";
import type { Config } from "#config";
import { messageOf } from "#lib/message-of";
import { createPrivateFile, readIfExists, syncFolder, writePrivateFile } from "#lib/private-file";
import { encryptionKey } from "./config-values.ts";

/** The first key encrypts in an empty database. All of them decrypt. */
type Keys = [Buffer, ...Buffer[]];

/**
 * Reads the 32-byte root keys of all encryption: from the configuration, otherwise from a file in the data folder. The file
 * is created only for a database that contains no secret yet: `requiredKeyId` is the ID of the key that the database needs,
 * if it needs one. Throws `ConfigError`.
 */
export async function readEncryptionKeys(
  config: Config,
  requiredKeyId: string | undefined,
): Promise<Keys> {
  const configured = configuredKeys(config);
  if (configured !== undefined) return configured;
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const { file, nextFile } = keyFiles(config);
  // The file exists during a rotation and after an interrupted one.
  const next = await readKey(nextFile);
  const more = next === undefined ? [] : [next];
  const stored = await readKey(file);
  if (stored !== undefined) return [stored, ...more];
  if (requiredKeyId !== undefined) {
    throw new ConfigError(
      `The database needs the encryption key with the ID ${requiredKeyId}, but ENCRYPTION_KEY is not set and ${file} does not exist. Restore the file from a backup, or set ENCRYPTION_KEY to that key.`,
    );
  }
  await createPrivateFile(file, format(randomBytes(32)));
  // Another process that starts on the same folder may have created it first.
  const created = await readKey(file);
  if (created === undefined) throw new ConfigError(`${file} was deleted during the start.`);
  return [created, ...more];
}

/** The keys in the configuration, or undefined if the key is in a file. */
export function configuredKeys({
  ENCRYPTION_KEY: key,
  ENCRYPTION_KEY_PREVIOUS: previous,
}: Config): Keys | undefined {
  return key === undefined ? undefined : [decode(key), ...previous.map(decode)];
}

/** The files for the key and for the next key of a rotation, used if no key is configured. */
export function keyFiles({ dataDir }: Config): { file: string; nextFile: string } {
  const file = join(dataDir, "encryption.key");
  return { file, nextFile: `${file}.next` };
}

/** Whether other users of this machine can read the key file. */
export async function isKeyExposed(config: Config): Promise<boolean> {
  if (configuredKeys(config) !== undefined) return false;
  const { mode } = await stat(keyFiles(config).file);
  return (mode & 0o007) !== 0;
}

/**
 * Returns the next key and the current one. Creates the next key unless an earlier rotation did. Throws `ConfigError`
 * if there is no key file.
 */
export async function prepareNextKey(config: Config): Promise<Keys> {
  const { file, nextFile } = keyFiles(config);
  const stored = await readKey(file);
  if (stored === undefined)
    throw new ConfigError(`No encryption key found at ${file}. Restore it from a backup.`);
  const next = (await readKey(nextFile)) ?? randomBytes(32);
  await writePrivateFile(nextFile, format(next));
  return [next, stored];
}

/** Replaces the key file with the next key. */
export async function adoptNextKey(config: Config): Promise<void> {
  const { file, nextFile } = keyFiles(config);
  await rename(nextFile, file);
  await syncFolder(dirname(file));
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readIfExists(path).catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new ConfigError(`The encryption key ${path} cannot be read: ${reason}.`, { cause });
  });
  if (text === undefined) return undefined;
  const key = encryptionKey.safeParse(text.trim());
  if (key.success) return decode(key.data);
  const problem = text.trim() === "" ? "is empty" : "does not contain 32 bytes as 64 hex digits";
  throw new ConfigError(`${path} ${problem}. Restore it from a backup.`);
}

function format(key: Buffer): string {
  return `${key.toString("hex")}\n`;
}

function decode(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? "hex" : "base64");
}
