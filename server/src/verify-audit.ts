import { readConfig } from "#config";
import { noWorkspace, sealEvents, verifyChains } from "#core/kernel";
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
    const { workspaceId } = report;
    const chain = workspaceId === noWorkspace ? "server events" : `workspace ${workspaceId}`;
    if (report.isSound) {
      const deleted =
        report.trimmedCount === 0
          ? ""
          : `; ${countEvents(report.trimmedCount, "earlier event")} deleted by retention`;
      process.stdout.write(`${chain}: ${countEvents(report.eventCount)}, valid${deleted}\n`);
    } else {
      process.exitCode = 1;
      const event = report.eventId === null ? "" : ` (ID ${report.eventId})`;
      process.stdout.write(
        `${chain}: INVALID at event ${report.brokenAt}${event}: ${report.problem}\n`,
      );
    }
  }
} finally {
  await db.close();
}

function countEvents(count: number, noun = "event"): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
