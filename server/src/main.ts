import process from "node:process";
import { ConfigError, readConfig } from "#config";
import { DataFolderInUseError } from "#db";
import { describeStart } from "./describe-start.ts";
import { startService } from "./start.ts";
import type { Service } from "./start.ts";

try {
  const service = await startService(readConfig());
  process.stdout.write(describeStart(service));
  stopOn(service, ["SIGTERM", "SIGINT"]);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm. */
const sameKeyPressMs = 1_000;

/** Stops in order at the first signal; at the second, at once. */
function stopOn(service: Service, signals: readonly NodeJS.Signals[]): void {
  let stoppingSince: number | undefined;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > sameKeyPressMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          service.context.log.error({ err: error }, "the service did not stop in order");
          process.exit(1);
        },
      );
    });
  }
}

/** What stopped the start, in one line where an operator can mend it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataFolderInUseError) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is taken. Set PORT to another one.";
    if (error.code === "EACCES") return `No permission: ${error.message}`;
    if (error.code === "ECONNREFUSED") return "The database of DATABASE_URL does not answer.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
