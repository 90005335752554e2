import { enableCompileCache } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { ConfigError, readConfig } from "#config";
import type { Service } from "./start.ts";

// Half of a start is reading code that has not changed. Where the folder cannot be written, it is read again.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/compiled"));

try {
  const config = readConfig();
  // A wrong setting is told at once, before all the rest is loaded.
  const { startService } = await import("./start.ts");
  const { describeStart } = await import("./describe-start.ts");
  const service = await startService(config);
  process.stdout.write(describeStart(service));
  stopOn(service, ["SIGTERM", "SIGINT"]);
} catch (error) {
  process.stderr.write(`${await explain(error)}\n`);
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
async function explain(error: unknown): Promise<string> {
  if (error instanceof ConfigError) return error.message;
  const { DataFolderInUseError } = await import("#db");
  if (error instanceof DataFolderInUseError) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is taken. Set PORT to another one.";
    if (error.code === "EACCES") return `No permission: ${error.message}`;
    if (error.code === "ECONNREFUSED") return "The database of DATABASE_URL does not answer.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
