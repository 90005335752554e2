import type { Client, RunSummary } from "@toolhost/client";
import { canonicalJson } from "../project/definition.ts";
import { listFolders, readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { readLock } from "../project/lock-file.ts";
import type { Link } from "../project/lock-file.ts";
import { writeAtomic } from "../project/write-atomic.ts";
import { describeError } from "../report-error.ts";
import type { Session } from "../session.ts";
import { usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createDraft } from "./draft.ts";
import type { DevDraft } from "./draft.ts";
import { toJunit } from "./junit.ts";
import type { TestResult } from "./junit.ts";

export type TestFlags = { junit?: string; past?: string; sameOutput?: boolean; yes?: boolean };

type TestCase = { test: string; input: unknown; expected?: unknown; skip?: string };

const waitMs = 50_000;
const maxPast = 100;

/** Runs the examples of tools, and past inputs, against their folders' content in the sandbox. */
export async function test(session: Session, flags: TestFlags, ...folders: string[]) {
  const { terminal } = session;
  const past = parsePast(flags.past);
  const project = await session.requireProject();
  const { client } = await session.connect();
  const lock = await readLock(project.root);
  const results: TestResult[] = [];
  for (const folder of folders.length > 0 ? folders : await listFolders(project)) {
    const local = await readLocalTool(project, folder);
    if (local === undefined) throw usageError(`There is no tool in the folder "${folder}".`);
    const link = lock.get(folder);
    checkEffects(local, past, flags);
    const cases = [
      ...exampleCases(local),
      ...(await pastCases(client, link, { past, sameOutput: flags.sameOutput === true })),
    ];
    results.push(...(await testTool({ client, terminal, link }, local, cases)));
  }
  if (flags.junit !== undefined) await writeAtomic(flags.junit, toJunit(results));
  return showResults(terminal, results);
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
  definition.examples.map(({ input, output }, at) => ({
    test: `example ${at + 1}`,
    input,
    ...(output === undefined ? {} : { expected: output }),
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
        ...(sameOutput === true ? { expected: run.output } : {}),
        ...(isRedacted ? { skip: "its input contains a secret" } : {}),
      };
    }),
  );
}

type Place = { client: Client; terminal: Terminal; link: Link | undefined };

async function testTool(
  { client, terminal, link }: Place,
  { folder, definition }: LocalTool,
  cases: readonly TestCase[],
): Promise<TestResult[]> {
  if (cases.length === 0) {
    terminal.note(`${folder} has no examples.`);
    return [];
  }
  const draft = await createDraft(client, link?.name, definition);
  const results: TestResult[] = [];
  try {
    for (const one of cases) {
      const waiting = terminal.wait(`${folder}: ${one.test}`);
      const result = await runCase({ client, draft }, folder, one).finally(() => waiting.done());
      results.push(result);
      const style = { passed: "green", failed: "red", skipped: "yellow" } as const;
      terminal.note(
        `${styled(style[result.status], result.status)} ${folder}: ${one.test} (${result.durationMs} ms)${result.message === undefined ? "" : `\n  ${result.message.replaceAll("\n", "\n  ")}`}`,
      );
    }
  } finally {
    await draft.delete();
  }
  return results;
}

async function runCase(
  { client, draft }: { client: Client; draft: DevDraft },
  tool: string,
  { test: name, input, skip, ...rest }: TestCase,
): Promise<TestResult> {
  const base = { tool, test: name };
  if (skip !== undefined) return { ...base, status: "skipped", durationMs: 0, message: skip };
  const startedAt = performance.now();
  const took = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  try {
    const first = await draft.run(input, { waitMs });
    const run = first.status === "running" ? await client.runs.wait(first.runId) : first;
    const { runId, status, output, error } = run;
    if (status !== "completed") {
      const message = `${status}: ${error?.code ?? ""} ${error?.message ?? ""}`.trim();
      return { ...base, ...took(), runId, status: "failed", message };
    }
    const isExpected =
      !("expected" in rest) || canonicalJson(output) === canonicalJson(rest.expected);
    if (isExpected) return { ...base, ...took(), runId, status: "passed" };
    const message = `expected ${canonicalJson(rest.expected)}\nreceived ${canonicalJson(output)}`;
    return { ...base, ...took(), runId, status: "failed", message };
  } catch (error) {
    const { code, message, next } = describeError(error);
    // The link leads to the draft, which is deleted after the tests.
    if (code === "credentials_missing") {
      const reason = `${message} Drafts have only credentials that a person approves for them.`;
      return { ...base, ...took(), status: "skipped", message: reason };
    }
    return { ...base, ...took(), status: "failed", message: [message, ...next].join("\n") };
  }
}

function showResults(terminal: Terminal, results: readonly TestResult[]) {
  const count = (status: TestResult["status"]) =>
    results.filter((result) => result.status === status).length;
  const summary = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  terminal.result({ ...summary, results }, () => [
    `${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`,
  ]);
  return summary.failed > 0 ? exitCodes.failed : exitCodes.ok;
}
