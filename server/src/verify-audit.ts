import { readConfig } from "#config";
import { sealEvents, verifyChains } from "#core/kernel";
import { databaseFile, openPostgres, openSqlite } from "#db";

/** Checks the audit trail of every workspace; exits with 1 and names the first broken link of each. */
const config = readConfig();
const db =
  config.DATABASE_URL === undefined
    ? openSqlite(databaseFile(config.dataDir))
    : openPostgres({ url: config.DATABASE_URL, poolSize: 1, onError: () => undefined });
try {
  await sealEvents(db);
  for await (const report of verifyChains(db)) {
    if (report.isSound) {
      const left =
        report.trimmedCount === 0 ? "" : `; ${report.trimmedCount} before them have left with age`;
      process.stdout.write(
        `workspace ${report.workspaceId}: ${report.eventCount} events, sound${left}\n`,
      );
    } else {
      process.exitCode = 1;
      const event = report.eventId === null ? "" : ` (event ${report.eventId})`;
      process.stdout.write(
        `workspace ${report.workspaceId}: BROKEN at link ${report.brokenAt}${event}: ${report.problem}\n`,
      );
    }
  }
} finally {
  await db.close();
}
