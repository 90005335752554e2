import { enableCompileCache, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { readConfig } from "#config";
import { describeFailure } from "#lib/operator-error";
import { readArguments } from "./command-arguments.ts";
import type { Service } from "./start.ts";

readArguments("start");

// Parsing unchanged code takes half of the start-up time. A read-only folder only disables the cache.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/compiled"));

// Stack traces name the sources, also those of the bundle.
setSourceMapsSupport(true);

// Without a listener, a full disk or a closed pipe behind the standard output would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

let metricsPort: number | undefined;

try {
  const config = readConfig();
  metricsPort = config.METRICS_PORT;
  // Invalid settings are reported before the rest of the service is loaded.
  const { startService } = await import("./start.ts");
  const { describeStart } = await import("./describe-start.ts");
  const service = await startService(config);
  process.stdout.write(describeStart(service));
  stopOn(service, ["SIGTERM", "SIGINT"]);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** One Ctrl-C may arrive twice: from the terminal and forwarded by npm. */
const sameKeyPressMs = 1_000;

/** Shuts down gracefully on the first signal and exits immediately on the second. */
function stopOn(service: Service, signals: readonly NodeJS.Signals[]): void {
  let stoppingSince: number | undefined;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > sameKeyPressMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      service.stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          service.context.log.error({ err: error }, "graceful shutdown failed");
          process.exit(1);
        },
      );
    });
  }
}

/** The reason of a failed start, in one line if the operator can fix it. */
function explain(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return explainPort(error);
  }
  return describeFailure(error);
}

function explainPort(error: Error): string {
  const port = "port" in error ? Number(error.port) : undefined;
  const setting = port === metricsPort ? "METRICS_PORT" : "PORT";
  return `Port ${port} is already in use. Set ${setting} to another port.`;
}
