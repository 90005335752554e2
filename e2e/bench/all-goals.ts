import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { goalMarkdown } from "./goals.ts";
import type { Measured } from "./goals.ts";
import { field } from "./json.ts";

/**
 * Prints the table of goals in `docs/architecture/performance.md`, measured by the other benchmarks one after another. `--executor`
 * names a folder with an installed copy of that npm package; without it, its rows are empty.
 */

const { values } = parseArgs({
  options: {
    executor: { type: "string" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
  },
});
const { executor } = values;
const load = ["--seconds", values.seconds, "--rounds", values.rounds];
const programs: readonly (readonly [file: string, ...args: string[]])[] = [
  ["run.ts", ...load],
  ["tools.ts", ...load, "--tools", "300"],
  ["mcp.ts", ...load],
  ...(executor === undefined ? [] : ([["executor.ts", executor, ...load]] as const)),
];

const folder = mkdtempSync(join(tmpdir(), "bench-goals-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
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
  const pass = (signal: NodeJS.Signals) => {
    child.kill(signal);
    process.exitCode = 130;
  };
  process.on("SIGINT", pass).on("SIGTERM", pass);
  await new Promise((resolve) => child.once("exit", resolve));
  process.off("SIGINT", pass).off("SIGTERM", pass);
  if (process.exitCode === 130) process.exit();
  return readMeasured(json);
}

function readMeasured(file: string): Measured[] {
  const found = field(JSON.parse(readFileSync(file, "utf8")), "measured");
  if (Array.isArray(found)) return found;
  throw new Error(`No figures in ${file}`);
}
