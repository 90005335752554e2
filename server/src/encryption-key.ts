import { randomBytes } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "#config";
import type { Config } from "#config";
import { readIfExists, syncFolder, writePrivateFile } from "#lib/private-file";

/** The first key encrypts in an empty database. All of them decrypt. */
type Keys = [Buffer, ...Buffer[]];

/**
 * Reads the 32-byte root keys of all encryption: from the configuration, otherwise from a file in the data folder that is
 * created once. Without that file, the encrypted data is lost. Throws `ConfigError`.
 */
export async function readEncryptionKeys(config: Config): Promise<Keys> {
  const { ENCRYPTION_KEY: given, ENCRYPTION_KEY_PREVIOUS: previous } = config;
  if (given !== undefined) return [decode(given), ...previous.map(decode)];
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const { file, nextFile } = keyFiles(config);
  // The file exists during a rotation and after an interrupted one.
  const next = await readKey(nextFile);
  const more = next === undefined ? [] : [next];
  const stored = await readKey(file);
  if (stored !== undefined) return [stored, ...more];
  const key = randomBytes(32);
  await writeKey(file, key);
  return [key, ...more];
}

/** The files for the key and for the next key of a rotation, used if no key is configured. */
export function keyFiles({ dataDir }: Config): { file: string; nextFile: string } {
  const file = join(dataDir, "encryption.key");
  return { file, nextFile: `${file}.next` };
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
  await writeKey(nextFile, next);
  return [next, stored];
}

/** Replaces the key file with the next key. */
export async function adoptNextKey(config: Config): Promise<void> {
  const { file, nextFile } = keyFiles(config);
  await rename(nextFile, file);
  await syncFolder(dirname(file));
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  const key = decode(text.trim());
  if (key.length === 32) return key;
  throw new ConfigError(`${path} does not contain 32 bytes as hex. Restore it from a backup.`);
}

function writeKey(path: string, key: Buffer): Promise<void> {
  return writePrivateFile(path, `${key.toString("hex")}\n`);
}

function decode(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? "hex" : "base64");
}
