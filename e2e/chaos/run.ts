import process from "node:process";
import { runChaos } from "./chaos.ts";
import { readOptions } from "./options.ts";
import { renderReport } from "./report.ts";

// Runs the exit handlers, which a signal alone does not.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const report = await runChaos(readOptions(process.argv.slice(2)), (line) =>
  process.stderr.write(`${line}\n`),
);
process.stdout.write(renderReport(report));
process.exitCode = report.violations.size === 0 ? 0 : 1;
