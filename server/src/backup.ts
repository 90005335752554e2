import { resolve } from "node:path";
import process from "node:process";
import { runCommand } from "./backup/command.ts";
import { createBackup } from "./backup/create-backup.ts";
import { readArguments } from "./command-arguments.ts";

const [target = ""] = readArguments("backup");

/** Writes a backup of the embedded database, the encryption key and the files in DATA_DIR to a folder. */
await runCommand(async (config) => {
  const folder = resolve(target);
  const report = await createBackup(config, folder);
  const size = `${(report.bytes / 1_048_576).toFixed(1)} MiB`;
  const lines = [`Backup complete: ${folder} (${report.fileCount} files, ${size})`];
  if (report.hasKey) {
    lines.push("It contains the encryption key. Protect it like a password.");
  } else {
    lines.push("It does not contain ENCRYPTION_KEY, which is set. Store that key separately.");
  }
  if (!report.hasFiles) {
    lines.push("It does not contain the files in the S3 bucket. Back up the bucket separately.");
  }
  for (const id of report.lost) lines.push(`WARNING: The bytes of file ${id} are missing.`);
  for (const id of report.damaged) lines.push(`WARNING: The bytes of file ${id} are damaged.`);
  process.stdout.write(`${lines.join("\n")}\n`);
  if (report.lost.length + report.damaged.length > 0) process.exitCode = 1;
});
