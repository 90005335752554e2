import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "#config";
import type { Config } from "#config";
import { readIfExists, writePrivateFile } from "#lib/private-file";

/**
 * The 32 bytes that everything encrypted hangs on: from the configuration, else from a file in the data
 * folder, made once. Losing that file loses what was encrypted with it.
 */
export async function readEncryptionKey(config: Config): Promise<Buffer> {
  if (config.ENCRYPTION_KEY !== undefined) return decode(config.ENCRYPTION_KEY);
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const path = join(config.dataDir, "encryption.key");
  const kept = await readIfExists(path);
  if (kept !== undefined) {
    const key = decode(kept.trim());
    if (key.length === 32) return key;
    throw new ConfigError(`${path} does not hold 32 bytes as hex. Restore it from a backup.`);
  }
  const key = randomBytes(32);
  await writePrivateFile(path, `${key.toString("hex")}\n`);
  return key;
}

function decode(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? "hex" : "base64");
}
