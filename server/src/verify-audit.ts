import { readConfig } from "#config";
import { noWorkspace, sealEvents, verifyChains } from "#core/kernel";
import { connecting, openPostgres, openSqlite, requireDatabase } from "#db";
import type { Database } from "#db";
import { describeFailure } from "#lib/operator-error";
import { readArguments } from "./command-arguments.ts";

readArguments("audit:verify");

/** Verifies the audit log of every workspace. Reports the first invalid event of each and exits with 1 if there is one. */
try {
  const db = await open();
  try {
    await verify(db);
  } finally {
    await db.close();
  }
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

async function open(): Promise<Database> {
  const { DATABASE_URL: url, dataDir } = readConfig();
  if (url === undefined) return openSqlite(requireDatabase(dataDir));
  const db = openPostgres({ url, poolSize: 1, onError: () => undefined });
  await connecting(url, () => db.ping());
  return db;
}

async function verify(db: Database): Promise<void> {
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
}

function countEvents(count: number, noun = "event"): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
