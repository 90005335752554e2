import type { Client, RunResult, RunSummary } from "@toolhost/client";
import type { JsonObject, ToolExample } from "@toolhost/contract";
import { checkExample, describeDifferences } from "@toolhost/tool-schema";
import { isRecord } from "../json.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { readLock } from "../project/lock-file.ts";
import type { Link } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import { toFolder } from "../project/typed-folder.ts";
import { writeAtomic } from "../project/write-atomic.ts";
import { describeError } from "../report-error.ts";
import type { Session } from "../session.ts";
import { uploadExampleFiles } from "../runs/upload-files.ts";
import { isFileId } from "../runs/file-id.ts";
import { isApiError } from "../sync/remote-tools.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import { command } from "../terminal/shell-command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createDraft, undeletedDraft } from "./draft.ts";
import type { DevDraft } from "./draft.ts";
import { withInterrupt } from "./interrupt.ts";
import { toJunit } from "./junit.ts";
import type { TestResult } from "./junit.ts";

export type TestFlags = { junit?: string; past?: string; sameOutput?: boolean; yes?: boolean };

type TestCase = {
  test: string;
  input: unknown;
  /** Files that the example brings, by field. */
  files?: ToolExample["files"];
  /** What the run must end with, as in an example. A past run has no expectation but the whole output. */
  expected: Pick<ToolExample, "output" | "expect">;
  skip?: string;
};

const maxPast = 100;
const cancelTimeoutMs = 1_500;

/** Runs the examples of tools, and past inputs, against their folders' content in the sandbox. */
export function test(session: Session, flags: TestFlags, ...folders: string[]): Promise<number> {
  return withInterrupt((signal) => testFolders(session, flags, { folders, signal }));
}

type Given = { folders: readonly string[]; signal: AbortSignal };

async function testFolders(session: Session, flags: TestFlags, { folders, signal }: Given) {
  const { terminal } = session;
  const past = parsePast(flags.past);
  const project = await session.requireProject();
  const { client } = await session.connect();
  const lock = await readLock(project.root);
  const { tools, faulty: results } = await readTools(session, project, folders);
  for (const local of tools) checkEffects(local, past, flags);
  for (const local of tools) {
    const link = lock.get(local.folder);
    const cases = [
      ...exampleCases(local),
      ...(await pastCases(client, link, { past, sameOutput: flags.sameOutput === true })),
    ];
    results.push(...(await testTool({ client, terminal, link, signal }, local, cases)));
  }
  if (flags.junit !== undefined) await writeAtomic(flags.junit, toJunit(results));
  return showResults(terminal, results);
}

/** The tools to test. One that cannot be read counts as failed, so that the others are tested. */
async function readTools({ terminal, cwd }: Session, project: Project, typed: readonly string[]) {
  const named = typed.map((word) => toFolder(project, cwd, word));
  const tools: LocalTool[] = [];
  const faulty: TestResult[] = [];
  for (const folder of typed.length > 0 ? named : await listFolders(project)) {
    const local = await readLocalTool(project, folder).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      return error;
    });
    if (local instanceof CliError) faulty.push(showInvalid(terminal, folder, local.message));
    else if (local !== undefined) tools.push(local);
    else if (named.length > 0) throw usageError(`There is no tool in the folder "${folder}".`);
  }
  return { tools, faulty };
}

function parsePast(text: string | undefined): number {
  if (text === undefined) return 0;
  const past = Number(text);
  if (Number.isSafeInteger(past) && past >= 0 && past <= maxPast) return past;
  throw usageError(`--past must be a number up to ${maxPast}.`);
}

/** Past inputs of a tool with effects would have them again. */
function checkEffects({ definition, folder }: LocalTool, past: number, { yes }: TestFlags): void {
  if (past === 0 || !definition.confirm || yes === true) return;
  throw usageError(
    `${folder} has effects that cannot be undone, and --past would run it with real inputs again.`,
    "add --yes if this is intended",
  );
}

const exampleCases = ({ definition }: LocalTool): TestCase[] =>
  definition.examples.map(({ name, input, files, ...expected }, at) => ({
    test: `example ${at + 1}${name === undefined ? "" : `: ${name}`}`,
    input,
    files,
    expected,
  }));

type Past = { past: number; sameOutput?: boolean };

/** Inputs of completed runs. Those with secrets cannot be repeated, because records do not have them. */
async function pastCases(
  client: Client,
  link: Link | undefined,
  { past, sameOutput }: Past,
): Promise<TestCase[]> {
  if (past === 0 || link === undefined) return [];
  const found: RunSummary[] = [];
  const query = { toolName: link.name, status: "completed", draft: "false", limit: past } as const;
  for await (const run of client.runs.list(query)) {
    found.push(run);
    if (found.length >= past) break;
  }
  return Promise.all(
    found.map(async (summary) => {
      const run = summary.input === undefined ? await client.runs.get(summary.runId) : summary;
      const isRedacted = JSON.stringify(run.input ?? {}).includes('"[redacted]"');
      return {
        test: `run ${run.runId}`,
        input: run.input,
        expected:
          sameOutput === true && run.output !== undefined
            ? { output: run.output as JsonObject, expect: { type: "equal" as const } }
            : {},
        ...(isRedacted ? { skip: "its input contains a secret" } : {}),
      };
    }),
  );
}

type Place = {
  client: Client;
  terminal: Terminal;
  link: Link | undefined;
  signal: AbortSignal;
};

async function testTool(
  { client, terminal, link, signal }: Place,
  local: LocalTool,
  cases: readonly TestCase[],
): Promise<TestResult[]> {
  const { folder, definition } = local;
  if (cases.length === 0) {
    terminal.note(explainNoExamples(folder, definition));
    return [];
  }
  const results: TestResult[] = [];
  const draft = await createDraft(client, { folder, toolName: link?.name }, definition).catch(
    (error: unknown) => {
      if (!isApiError(error, 400)) throw error;
      return describeError(error).message;
    },
  );
  if (typeof draft === "string") return [showInvalid(terminal, folder, draft)];
  try {
    for (const one of cases) {
      const waiting = terminal.wait(`${folder}: ${one.test}`);
      const result = await runCase({ client, draft, signal }, local, one).finally(() =>
        waiting.done(),
      );
      results.push(result);
      showResult(terminal, result);
    }
  } finally {
    if (!(await draft.delete())) terminal.note(undeletedDraft);
  }
  return results;
}

const styles = { passed: "green", failed: "red", skipped: "yellow" } as const;

function showInvalid(terminal: Terminal, tool: string, message: string): TestResult {
  const result = { tool, test: "definition", status: "failed", durationMs: 0, message } as const;
  showResult(terminal, result);
  return result;
}

function showResult(
  terminal: Terminal,
  { tool, test: name, status, durationMs, message }: TestResult,
) {
  const details = message === undefined ? "" : `\n  ${message.replaceAll("\n", "\n  ")}`;
  terminal.note(`${styled(styles[status], status)} ${tool}: ${name} (${durationMs} ms)${details}`);
}

function explainNoExamples(folder: string, { fileFields }: LocalTool["definition"]): string {
  const [field] = fileFields;
  return field === undefined
    ? `${folder} has no examples, so there is nothing to test. Write one to ${folder}/examples/1.json: {"input": {…}}`
    : command`${folder} has no examples, because its input needs a file. Try it: toolhost dev ${folder} ${field}=@FILE`;
}

async function runCase(
  { client, draft, signal }: { client: Client; draft: DevDraft; signal: AbortSignal },
  { folder: tool, definition: { fileFields } }: LocalTool,
  { test: name, input, files = {}, skip, expected }: TestCase,
): Promise<TestResult> {
  const base = { tool, test: name };
  if (skip !== undefined) return { ...base, status: "skipped", durationMs: 0, message: skip };
  const startedAt = performance.now();
  const took = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  try {
    const { runId } = await draft.run(await uploadExampleFiles(client, input, files));
    const outcome = await waitOrCancel(client, runId, signal);
    const message = draft.nameFolder(explain(expected, outcome));
    const status = message === "" ? "passed" : "failed";
    return { ...base, ...took(), runId, status, ...(message === "" ? {} : { message }) };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, next } = describeError(error);
    // A rejected input has no run.
    if (expected.expect?.type === "failure" && expected.expect.code === code) {
      return { ...base, ...took(), status: "passed" };
    }
    // A file belongs to one workspace; an example is in each workspace that has the tool.
    const field = findForeignFile(error, fileFields, input);
    if (field !== undefined) {
      const reason = `its input names a file that is not in this workspace. Try it: ${command`toolhost dev ${tool} ${field}=@FILE`}`;
      return { ...base, ...took(), status: "skipped", message: reason };
    }
    // The link leads to the draft, which is deleted after the tests.
    if (code === "credentials_missing") {
      const reason = `${message} Drafts have only credentials that a person approves for them: store it with toolhost secret set, run ${command`toolhost dev ${tool}`}, and open the link that it prints.`;
      return { ...base, ...took(), status: "skipped", message: reason };
    }
    return { ...base, ...took(), status: "failed", message: [message, ...next].join("\n") };
  }
}

/** Why a run is not as expected; empty if it is. */
function explain(expected: TestCase["expected"], outcome: RunResult): string {
  const { isPassed, message, differences } = checkExample(
    expected,
    // Parsed from JSON.
    outcome as typeof outcome & { output?: JsonObject },
  );
  return isPassed ? "" : message || describeDifferences(differences);
}

/** The file field of a rejected input, if only IDs of files were rejected. */
function findForeignFile(error: unknown, fileFields: readonly string[], input: unknown) {
  const hasErrors = error instanceof Error && "errors" in error && Array.isArray(error.errors);
  if (!hasErrors || !isRecord(input)) return undefined;
  const fields = (error.errors as readonly { path: string }[]).map(({ path }) =>
    fileFields.find((name) => path === `/${name}` || path.startsWith(`/${name}/`)),
  );
  const isForeign = (name: string | undefined) =>
    name !== undefined && [input[name]].flat().every(isFileId);
  return fields.every(isForeign) ? fields[0] : undefined;
}

async function waitOrCancel(client: Client, runId: string, signal: AbortSignal) {
  try {
    return await client.runs.wait(runId, { signal });
  } catch (error) {
    if (signal.aborted) await client.runs.cancel(runId, cancelOptions()).catch(() => undefined);
    throw error;
  }
}

const cancelOptions = () => ({ signal: AbortSignal.timeout(cancelTimeoutMs) });

function showResults(terminal: Terminal, results: readonly TestResult[]) {
  const count = (status: TestResult["status"]) =>
    results.filter((result) => result.status === status).length;
  const summary = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  terminal.result({ ...summary, results }, () => [
    `${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`,
  ]);
  return summary.failed > 0 ? exitCodes.failed : exitCodes.ok;
}
