import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "./server.ts";
import { spawnService, whenReady } from "./service-process.ts";
import type { ReadyService } from "./service-process.ts";

/**
 * Starts another node on the database of a server, with a folder of its own and the server's encryption key. The server
 * needs no `ENCRYPTION_KEY` in its settings for that, with which it could not start from the template.
 */
export async function startSecondNode(
  { settings, dataDir, workDir }: Server,
  { name = "other", ...changed }: Record<string, string> = {},
): Promise<ReadyService> {
  const key = await readFile(join(dataDir, "encryption.key"), "utf8");
  return whenReady(
    spawnService(workDir, {
      ...settings,
      ENCRYPTION_KEY: key.trim(),
      DATA_DIR: join(workDir, name),
      ...changed,
    }),
  );
}
