import { resolve } from "node:path";
import process from "node:process";
import { runCommand } from "./backup/command.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { readArguments } from "./command-arguments.ts";
import { commandLine } from "./installation.ts";

const [target = ""] = readArguments("restore");

/** Restores a backup into an empty DATA_DIR, and verifies it. */
await runCommand(async (config) => {
  const folder = resolve(target);
  const report = await restoreBackup(config, folder);
  const lines = [
    `Restored and verified ${config.dataDir}, as of ${new Date(report.startedAt).toISOString()}.`,
    `The database is sound, all ${report.fileCount} parts of the backup (database, key, files) match their checksums, and the encryption key decrypts ${report.decrypted} secrets.`,
  ];
  if (report.failed > 0) {
    lines.push(
      `WARNING: ${report.failed} secrets could not be decrypted. Replace those credentials.`,
    );
  }
  lines.push(`Start the service with ${commandLine("start")}.`);
  process.stdout.write(`${lines.join("\n")}\n`);
});
