import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BackupError } from "./backup-error.ts";

/** The only paths that a backup contains, so that a manifest cannot name a file outside of the data folder. */
const path = z
  .string()
  .regex(/^(?:toolhost\.db|encryption\.key(?:\.next)?|first-run\.json|files\/[\w-]+\/[\w-]+)$/);

const manifest = z.object({
  format: z.literal(1),
  /** When the backup started, in Unix milliseconds. Files that had expired by then are not in it. */
  startedAt: z.int(),
  /** The ID of the encryption key that the backup needs. */
  keyId: z.string(),
  fileStorage: z.enum(["local", "s3"]),
  /** Size and SHA-256 of each file, by its path in the backup and in the data folder. */
  files: z.record(path, z.object({ size: z.int(), sha256: z.string() })),
});

/** What a backup consists of. It is written last, so a backup without it is not complete. */
export type Manifest = z.infer<typeof manifest>;

export const manifestName = "manifest.json";

/** Reads the manifest of a backup. Throws `BackupError`. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestName);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new BackupError(
      `${folder} is not a complete backup: ${manifestName} cannot be read. Use another backup.`,
      { cause },
    );
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(
      `${file} is damaged, or was written by a newer version of Toolhost. Use another backup, or that version.`,
      { cause },
    );
  }
}
