import { randomBytes } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "#config";
import type { Config } from "#config";
import { readIfExists, syncFolder, writePrivateFile } from "#lib/private-file";

/** The first seals what is new in an empty database, all of them open. */
type Keys = [Buffer, ...Buffer[]];

/**
 * The keys of 32 bytes that everything encrypted hangs on: from the configuration, else from a file in the
 * data folder, made once. Losing that file loses what was encrypted with it. Throws `ConfigError`.
 */
export async function readEncryptionKeys(config: Config): Promise<Keys> {
  const { ENCRYPTION_KEY: given, ENCRYPTION_KEY_PREVIOUS: previous } = config;
  if (given !== undefined) return [decode(given), ...previous.map(decode)];
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const { file, nextFile } = keyFiles(config);
  // There while a rotation is under way, or after one that ended early.
  const next = await readKey(nextFile);
  const more = next === undefined ? [] : [next];
  const kept = await readKey(file);
  if (kept !== undefined) return [kept, ...more];
  const key = randomBytes(32);
  await writeKey(file, key);
  return [key, ...more];
}

/** Where a node keeps its key when it is given none, and the one that a rotation moves to. */
export function keyFiles({ dataDir }: Config): { file: string; nextFile: string } {
  const file = join(dataDir, "encryption.key");
  return { file, nextFile: `${file}.next` };
}

/**
 * The key file's new key, then the one before: makes the new one aside unless an earlier rotation has.
 * Throws `ConfigError` when there is no key file.
 */
export async function prepareNextKey(config: Config): Promise<Keys> {
  const { file, nextFile } = keyFiles(config);
  const kept = await readKey(file);
  if (kept === undefined) throw new ConfigError(`There is no key at ${file} to move from.`);
  const next = (await readKey(nextFile)) ?? randomBytes(32);
  await writeKey(nextFile, next);
  return [next, kept];
}

/** Puts the new key in the place of the one before, which is gone then. */
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
  throw new ConfigError(`${path} does not hold 32 bytes as hex. Restore it from a backup.`);
}

function writeKey(path: string, key: Buffer): Promise<void> {
  return writePrivateFile(path, `${key.toString("hex")}\n`);
}

function decode(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? "hex" : "base64");
}
