import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkFile, type FileReport } from "./terms/check-file.ts";
import type { State } from "./terms/match-terms.ts";
import { excluded } from "./terms/terms.ts";

const usage = `Usage: node scripts/check-terms.ts [options] [FOLDER]

Checks identifiers, file names, comments, strings and documents for the words listed in
scripts/terms/terms.ts, and fails if it finds a forbidden one, or a test title that does not
start with a verb ("returns", "rejects").

  --all    also list ambiguous words
  --count  print the number of lines and words by folder, and do not fail
  --help   print this text

To exempt a line, give a reason: // check-terms-disable-next-line WORD -- REASON
or check-terms-disable-line; in Markdown, inside <!-- -->.
`;

type Report = FileReport & { path: string };

/** Lists the files tracked by Git, and all files if the folder is not a Git checkout. */
function listFiles(folder: string): string[] {
  try {
    const gitArguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const output = execFileSync("git", gitArguments, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.split("\0").filter((path) => path !== "");
  } catch {
    return globSync("**/*", { cwd: folder, exclude: ["**/node_modules/**", ".git/**"] });
  }
}

function checkFolder(folder: string): Report[] {
  return listFiles(folder)
    .filter((path) => !excluded.some((pattern) => pattern.test(path)))
    .filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, ...checkFile(path, readFileSync(join(folder, path), "utf8")) }));
}

function total(reports: readonly Report[], countOf: (report: Report) => number): number {
  let sum = 0;
  for (const report of reports) sum += countOf(report);
  return sum;
}

const findingCount = (reports: readonly Report[], ...states: State[]) =>
  total(reports, (report) => report.findings.filter(({ state }) => states.includes(state)).length);

const oddTitleCount = (reports: readonly Report[]) =>
  total(reports, ({ oddTitles }) => oddTitles.length);

const toRow = (name: string, cells: readonly (string | number)[]) =>
  `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(11)).join("")}\n`;

function countFolder(name: string, reports: readonly Report[]): string {
  const lines = total(reports, ({ lineCount }) => lineCount);
  const dialect = findingCount(reports, "forbidden");
  const ambiguous = findingCount(reports, "counted");
  const titles = total(reports, ({ titleCount }) => titleCount);
  const perThousand = (count: number) => ((count * 1000) / Math.max(lines, 1)).toFixed(1);
  return toRow(name, [
    lines,
    dialect,
    perThousand(dialect),
    ambiguous,
    perThousand(ambiguous),
    titles,
    oddTitleCount(reports),
  ]);
}

function printCounts(reports: readonly Report[]): void {
  const folderOf = ({ path }: Report) =>
    path.includes("/") ? (path.split("/", 1)[0] ?? "") : "(root)";
  const folders = [...Map.groupBy(reports, folderOf)];
  folders.sort(([one], [other]) => one.localeCompare(other));
  const head = ["lines", "dialect", "per 1,000", "ambiguous", "per 1,000", "titles", "odd titles"];
  const rows = folders.map(([name, inFolder]) => countFolder(name, inFolder));
  process.stdout.write([toRow("folder", head), ...rows, countFolder("total", reports)].join(""));
}

function describe(report: Report, isAll: boolean) {
  const { path, findings, badDirectives, oddTitles } = report;
  const lineOf = ({ line, found, use }: (typeof findings)[number]) =>
    `${path}:${line}: "${found}": use "${use}"`;
  const errors = findings.filter(({ state }) => state === "forbidden").map(lineOf);
  errors.push(...badDirectives.map(({ line, problem }) => `${path}:${line}: ${problem}`));
  const warnings = isAll
    ? findings
        .filter(({ state }) => state !== "forbidden")
        .map((finding) => `${lineOf(finding)} (${finding.state})`)
    : [];
  const titles = oddTitles.map(
    ({ line, title }) => `${path}:${line}: "${title}": start the title with a verb ("returns")`,
  );
  errors.push(...titles);
  return { errors, warnings };
}

function printProblems(reports: readonly Report[], isAll: boolean): void {
  const described = reports.map((report) => describe(report, isAll));
  const errors = described.flatMap((each) => each.errors);
  const warnings = described.flatMap((each) => each.warnings);
  for (const text of [...warnings, ...errors]) process.stdout.write(`${text}\n`);
  process.stdout.write(
    `Checked ${reports.length} files: ${errors.length} errors. Counted only: ` +
      `${findingCount(reports, "counted")} ambiguous words.\n`,
  );
  if (errors.length > 0) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    count: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(usage);
} else {
  const reports = checkFolder(resolve(positionals[0] ?? "."));
  if (values.count) printCounts(reports);
  else printProblems(reports, values.all);
}
