import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { examplesFolder } from "@toolhost/starter-tools/tool-folder";
import { readLock } from "../project/lock-file.ts";
import { readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { toolFolder } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { writeEditorFiles, writeToolSchema } from "../project/editor-files.ts";
import { describeError, formatError } from "../report-error.ts";
import { readInputFile } from "../runs/run-input.ts";
import { showLogLine } from "../runs/show-run.ts";
import type { Connection, Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled, toLine } from "../terminal/text.ts";
import { createDraft } from "./draft.ts";
import type { DevDraft } from "./draft.ts";
import { command } from "../terminal/shell-command.ts";

export type DevFlags = { input?: string; example: string; once?: boolean };

/** Editors save a file in several steps. */
const debounceMs = 40;
const emptyInput =
  "The tool has no example, so its input is {}. Write one to examples/1.json, or use --input FILE.";
const watched = /^(?:tool\.(?:json|ts|js)|.+\.json)$/;

/** Runs a tool in the sandbox after each change of its folder, as a draft that is deleted at the end. */
export async function dev(session: Session, flags: DevFlags, name: string): Promise<number> {
  const project = await session.requireProject();
  const { terminal } = session;
  const { client } = await session.connect();
  await writeToolSchema(project.root);
  const link = (await readLock(project.root)).get(name);
  const state: { draft?: DevDraft } = {};
  const attempt = async (signal: AbortSignal): Promise<boolean> => {
    const startedAt = performance.now();
    try {
      const local = await readTool(project, name);
      await writeEditorFiles(project, name, local.definition);
      const input = await chooseInput(flags, local);
      if (input === undefined) terminal.note(emptyInput);
      state.draft ??= await createDraft(client, link?.name, local.definition);
      await state.draft.save(local.definition);
      return await runDraft({ session, client }, state.draft, {
        input: input ?? {},
        signal,
        startedAt,
      });
    } catch (error) {
      if (signal.aborted) return false;
      if (flags.once === true) throw explainOnce(error, name);
      showFailure(session, error);
      return false;
    }
  };
  try {
    if (flags.once === true) {
      const isCompleted = await attempt(new AbortController().signal);
      return isCompleted ? exitCodes.ok : exitCodes.failed;
    }
    await watchFolder(await toolFolder(project, name), session, attempt);
    return exitCodes.ok;
  } finally {
    await state.draft?.delete();
  }
}

/** The link for a missing credential leads to the draft, which exists only while the command runs. */
function explainOnce(error: unknown, name: string): unknown {
  const { code, message, exitCode } = describeError(error);
  if (code !== "credentials_missing") return error;
  const next = [command`toolhost dev ${name}, and open the link that it prints while it runs`];
  return new CliError(message, { code, exitCode, next });
}

async function readTool(project: Project, name: string): Promise<LocalTool> {
  const local = await readLocalTool(project, name);
  if (local !== undefined) return local;
  throw usageError(`There is no tool in the folder "${name}".`, command`toolhost new ${name}`);
}

/** The given input, or that of an example. It is read for each run, so it can be changed as well. */
async function chooseInput({ input, example }: DevFlags, { definition }: LocalTool) {
  if (input !== undefined) return readInputFile(input);
  const { examples } = definition;
  const number = Number(example);
  const found = examples[number - 1];
  if (found !== undefined) return found.input;
  if (examples.length === 0 && number === 1) return undefined;
  throw usageError(`There is no example ${example}. The tool has ${examples.length}.`);
}

type Run = { input: unknown; signal: AbortSignal; startedAt: number };

/** Runs the draft and shows its log while it runs. Returns whether it completed. */
async function runDraft(
  { session: { terminal }, client }: { session: Session; client: Connection["client"] },
  draft: DevDraft,
  { input, signal, startedAt }: Run,
): Promise<boolean> {
  const { runId } = await draft.run(input, { waitMs: 0, signal });
  const stop = () => void client.runs.cancel(runId).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const event of client.runs.logs(runId, { follow: true, signal })) {
      if (event.type === "log") {
        if (terminal.isJson) terminal.part(event, () => "");
        else showLogLine(terminal, event, "part");
      }
      if (event.type !== "end") continue;
      const { status, output, error } = event.run;
      const tookMs = Math.round(performance.now() - startedAt);
      terminal.part({ type: "end", runId, status, output, error, tookMs }, () =>
        status === "completed"
          ? `${JSON.stringify(output, null, 2)}\n${styled("green", "completed")} in ${tookMs} ms`
          : `${styled("red", `${status}: ${error?.code ?? ""} ${error?.message ?? ""}`)}\n${error?.stack ?? ""}`,
      );
      return status === "completed";
    }
    return false;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function showFailure({ terminal }: Session, error: unknown): void {
  const { code, message, next } = describeError(error);
  terminal.part({ type: "error", code, message, next }, () =>
    formatError(error, { isJson: false, hasColor: false }),
  );
}

/** Attempts once, and after each change. A change ends the attempt that runs. Resolves on Ctrl-C. */
async function watchFolder(
  folder: string,
  { terminal }: Session,
  attempt: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  let current = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    running = running.then(async () => {
      if (!signal.aborted) await attempt(signal);
    });
  };
  const stopWatching = watchFiles(folder, (file) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      terminal.note(styled("dim", `${toLine(file, 60)} changed`));
      begin();
    }, debounceMs);
  });
  terminal.note(`Watching ${folder}. Stop with Ctrl-C.`);
  begin();
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
  clearTimeout(timer);
  stopWatching();
  current.abort();
  await running;
}

/**
 * Watches the files of a tool. Each folder has its own watcher, because on Node.js 20 a recursive one loses files that an editor
 * replaces by renaming.
 */
function watchFiles(folder: string, onChange: (file: string) => void): () => void {
  let examples: FSWatcher | undefined;
  const listen = (_: string, file: string | null) => {
    if (file === examplesFolder) watchExamples();
    if (file === null || file === "tsconfig.json" || !watched.test(file)) return;
    onChange(file);
  };
  const watchExamples = () => {
    examples?.close();
    try {
      examples = watch(join(folder, examplesFolder), listen);
    } catch {
      // There are no examples yet.
    }
  };
  const watcher = watch(folder, listen);
  watchExamples();
  return () => {
    watcher.close();
    examples?.close();
  };
}
