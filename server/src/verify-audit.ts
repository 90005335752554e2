import { readConfig } from "#config";
import { sealEvents, verifyChains } from "#core/kernel";
import { databaseFile, openPostgres, openSqlite } from "#db";

/** Verifies the audit log of every workspace. Reports the first invalid event of each and exits with 1 if there is one. */
const config = readConfig();
const db =
  config.DATABASE_URL === undefined
    ? openSqlite(databaseFile(config.dataDir))
    : openPostgres({ url: config.DATABASE_URL, poolSize: 1, onError: () => undefined });
try {
  await sealEvents(db);
  for await (const report of verifyChains(db)) {
    if (report.isSound) {
      const deleted =
        report.trimmedCount === 0
          ? ""
          : `; ${report.trimmedCount} earlier events deleted by retention`;
      process.stdout.write(
        `workspace ${report.workspaceId}: ${report.eventCount} events, valid${deleted}\n`,
      );
    } else {
      process.exitCode = 1;
      const event = report.eventId === null ? "" : ` (ID ${report.eventId})`;
      process.stdout.write(
        `workspace ${report.workspaceId}: INVALID at event ${report.brokenAt}${event}: ${report.problem}\n`,
      );
    }
  }
} finally {
  await db.close();
}
