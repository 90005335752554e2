import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import { examplesFolder } from "@toolhost/starter-tools/tool-folder";
import type { Definition } from "../project/definition.ts";
import { isFolderName } from "../project/folder-name.ts";
import { readLock } from "../project/lock-file.ts";
import { readLocalTool } from "../project/local-tools.ts";
import type { LocalTool } from "../project/local-tools.ts";
import { toolFolder } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { toFolder } from "../project/typed-folder.ts";
import { writeEditorFiles, writeToolSchema } from "../project/editor-files.ts";
import { describeError, formatError } from "../report-error.ts";
import { showLogLine } from "../runs/show-run.ts";
import type { Connection, Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled, toLine } from "../terminal/text.ts";
import { createInputSource } from "./dev-input.ts";
import type { InputFlags } from "./dev-input.ts";
import { createDraft, undeletedDraft, isGone } from "./draft.ts";
import type { DevDraft } from "./draft.ts";
import { withInterrupt } from "./interrupt.ts";
import { command } from "../terminal/shell-command.ts";

export type DevFlags = InputFlags & { once?: boolean };

/** Editors save a file in several steps. */
const debounceMs = 40;
const emptyInput =
  "The tool has no example, so its input is {}. Write one to examples/1.json, or add values: name=value, or name=@FILE.";
const watched = /^(?:tool\.(?:json|ts|js)|.+\.json)$/;

/** Runs a tool in the sandbox after each change of its folder, as a draft that is deleted at the end. */
export async function dev(
  session: Session,
  flags: DevFlags,
  typed = "",
  ...words: string[]
): Promise<number> {
  const project = await session.requireProject();
  const name = toFolder(project, session.cwd, typed);
  const { terminal } = session;
  const { client } = await session.connect();
  await writeToolSchema(project.root);
  const link = (await readLock(project.root)).get(name);
  const readInput = createInputSource(client, flags, words);
  const state: { draft?: DevDraft } = {};
  const runDefinition = async (definition: Definition, given: Run): Promise<boolean> => {
    const isNew = state.draft === undefined;
    try {
      state.draft ??= await createDraft(client, { folder: name, toolName: link?.name }, definition);
      await state.draft.save(definition);
      return await runDraft({ session, client }, state.draft, given);
    } catch (error) {
      if (isNew || !isReplaced(error)) throw error;
      terminal.note("The draft was deleted or changed elsewhere. A new one is used.");
      delete state.draft;
      return runDefinition(definition, given);
    }
  };
  const attempt = async (signal: AbortSignal): Promise<boolean> => {
    const startedAt = performance.now();
    try {
      const local = await readTool(project, name);
      await writeEditorFiles(project, name, local.definition);
      const input = await readInput(local);
      if (input === undefined) terminal.note(emptyInput);
      return await runDefinition(local.definition, { input: input ?? {}, signal, startedAt });
    } catch (error) {
      if (flags.once === true) throw explainOnce(error, name);
      if (!signal.aborted) showFailure(session, error);
      return false;
    }
  };
  return withInterrupt(async (signal) => {
    try {
      if (flags.once === true) return (await attempt(signal)) ? exitCodes.ok : exitCodes.failed;
      const ends = AbortSignal.any([signal, terminal.closed]);
      await watchFolder({ folder: await toolFolder(project, name), ends }, session, attempt);
      return exitCodes.ok;
    } finally {
      if ((await state.draft?.delete()) === false) terminal.note(undeletedDraft);
    }
  });
}

/** Someone may delete or change the draft in the console, where it stays if it was changed. */
const isReplaced = (error: unknown) =>
  isGone(error) || (error instanceof Error && "code" in error && error.code === "draft_changed");

/** The link for a missing credential leads to the draft, which exists only while the command runs. */
function explainOnce(error: unknown, name: string): unknown {
  const { code, message, exitCode } = describeError(error);
  if (code !== "credentials_missing") return error;
  const next = [command`toolhost dev ${name}, and open the link that it prints while it runs`];
  return new CliError(message, { code, exitCode, next });
}

async function readTool(project: Project, name: string): Promise<LocalTool> {
  const local = isFolderName(name) ? await readLocalTool(project, name) : undefined;
  if (local !== undefined) return local;
  const next = isFolderName(name) ? command`toolhost new ${name}` : "toolhost status";
  throw usageError(`There is no tool in the folder "${name}".`, next);
}

type Run = { input: unknown; signal: AbortSignal; startedAt: number };

/** Runs the draft and shows its log while it runs. Returns whether it completed. */
async function runDraft(
  { session: { terminal }, client }: { session: Session; client: Connection["client"] },
  draft: DevDraft,
  { input, signal, startedAt }: Run,
): Promise<boolean> {
  const { runId } = await draft.run(input);
  const stop = () => void client.runs.cancel(runId).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const event of client.runs.logs(runId, { follow: true, signal })) {
      if (event.type === "log") {
        if (terminal.isJson) terminal.part(event, () => "");
        else showLogLine(terminal, event, "part");
      }
      if (event.type !== "end") continue;
      const { status, output } = event.run;
      const error = event.run.error && {
        ...event.run.error,
        message: draft.nameFolder(event.run.error.message),
      };
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

/** Attempts once, and after each change. A change ends the attempt that runs. Resolves when the signal aborts. */
async function watchFolder(
  { folder, ends }: { folder: string; ends: AbortSignal },
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
    if (ends.aborted) resolve();
    else ends.addEventListener("abort", () => resolve(), { once: true });
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
