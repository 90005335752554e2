import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOnExit, exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { hasExecutor, installExecutor } from "./executor-server.ts";
import { goalMarkdown } from "./goals.ts";
import type { Measured } from "./goals.ts";
import { field } from "./json.ts";
import { endWithUsage, parseOptions, readOptions } from "./options.ts";

/**
 * Prints the table of goals in `docs/architecture/performance.md`, measured by the other benchmarks one after another. `--executor`
 * names a folder with an installed copy of that npm package; without it, its rows are empty.
 */

exitOnSignals();

const { values } = parseOptions({
  options: {
    executor: { type: "string" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
  },
});
const { executor } = values;
if (executor !== undefined && !hasExecutor(executor)) {
  endWithUsage(`${executor} has no copy of executor. Install it:\n  ${installExecutor(executor)}`);
}
const load = ["--seconds", values.seconds, "--rounds", values.rounds];
readOptions(load);
const programs: readonly (readonly [file: string, ...args: string[]])[] = [
  ["run.ts", ...load],
  ["tools.ts", ...load, "--tools", "300"],
  ["mcp.ts", ...load],
  ...(executor === undefined ? [] : ([["executor.ts", executor, ...load]] as const)),
];

const folder = makeTemporaryFolder("bench-goals");
const measured: Measured[] = [];
for (const [file, ...args] of programs) measured.push(...(await measure(file, args)));
process.stdout.write(goalMarkdown(measured));

/** Runs a benchmark, which prints its own tables to stderr. Throws if it fails, but not if it misses goals. */
async function measure(file: string, args: readonly string[]): Promise<Measured[]> {
  const json = join(folder, `${file}.json`);
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [program, ...args, "--json", json], {
    stdio: ["ignore", process.stderr, "inherit"],
  });
  // It ends its own processes at this signal, but cannot at SIGKILL.
  endOnExit(child, "SIGTERM");
  const [code] = await once(child, "exit");
  if (!existsSync(json)) {
    process.stderr.write(`The benchmark ${file} failed, so the goals are incomplete.\n`);
    process.exit(typeof code === "number" ? code : 1);
  }
  return readMeasured(json);
}

function readMeasured(file: string): Measured[] {
  const found = field(JSON.parse(readFileSync(file, "utf8")), "measured");
  if (Array.isArray(found)) return found;
  throw new Error(`No figures in ${file}`);
}
