import process from "node:process";
import type { Client, Question, RunResult } from "@toolhost/client";
import type { Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { answerQuestion } from "./answer-question.ts";
import type { AskingRun } from "./answer-question.ts";
import { withToolName } from "./find-tool.ts";
import { questionText } from "./question-text.ts";
import { isSchemaNeeded, parseAssignments, readInputFile } from "./run-input.ts";
import type { RunInput } from "./run-input.ts";
import { showLogLine, showOutput } from "./show-run.ts";
import { uploadFiles } from "./upload-files.ts";
import { command } from "../terminal/shell-command.ts";

export type RunFlags = { input?: string; wait: boolean; follow?: boolean };

/** Below it, a run is answered by the request that starts it. */
const firstWaitMs = 1_000;

/** Runs a tool. The exit code says whether it completed. */
export async function run(session: Session, flags: RunFlags, typed = "", ...words: string[]) {
  const { terminal } = session;
  const { client, address } = await session.connect();
  const given = flags.input === undefined ? {} : await readInputFile(flags.input);
  const interrupted = listenForInterrupt();
  const waitMs = flags.wait && flags.follow !== true ? firstWaitMs : 0;
  const { toolName, result } = await withToolName({ session, client, typed }, async (name) => ({
    toolName: name,
    result: await start(client, name, { given, words, waitMs, signal: interrupted }),
  }));
  const { runId } = result;
  if (!flags.wait) {
    terminal.result(result, () => [runId]);
    terminal.note(command`Follow it: toolhost logs ${runId} --follow`);
    return exitCodes.ok;
  }
  const ended =
    result.status === "running"
      ? await waitForEnd(client, terminal, {
          started: result,
          toolName,
          address,
          isFollowed: flags.follow === true,
          interrupted,
        })
      : result;
  return showOutput(terminal, ended);
}

type Start = { given: RunInput; words: readonly string[]; waitMs: number; signal: AbortSignal };

/** Starts a run. The input schema is requested only if values depend on it, which saves a round trip. */
async function start(
  client: Client,
  toolName: string,
  { given, words, waitMs, signal }: Start,
): Promise<RunResult> {
  if (!isSchemaNeeded(words)) {
    const typed = await parseAssignments(words, { inputSchema: {}, fileFields: [] });
    try {
      return await client.runs.start(toolName, { ...given, ...typed }, { waitMs, signal });
    } catch (error) {
      const isInvalid = error instanceof Error && "code" in error && error.code === "invalid_input";
      if (!isInvalid || words.length === 0) throw error;
    }
  }
  const typed = await parseAssignments(words, await client.tools.get(toolName, { signal }));
  const input = { ...given, ...(await uploadFiles(client, typed)) };
  return client.runs.start(toolName, input, { waitMs, signal });
}

type Wait = {
  started: RunResult;
  toolName: string;
  address: string;
  isFollowed: boolean;
  interrupted: AbortSignal;
};

/** Returns the run when it has ended, or when it asks a question that cannot be answered here. */
async function waitForEnd(
  client: Client,
  terminal: Terminal,
  { started, toolName, address, isFollowed, interrupted }: Wait,
): Promise<RunResult> {
  const { runId } = started;
  const url = new URL(`/runs/${runId}`, address).href;
  const spinner = isFollowed ? undefined : terminal.wait(`Running ${runId}`);
  const questions = createQuestionHandler(client, terminal, {
    runId,
    toolName,
    url,
    onAsk: () => spinner?.done(),
  });
  try {
    return await client.runs.wait(runId, {
      signal: AbortSignal.any([interrupted, questions.stopped]),
      onQuestion: questions.handle,
      ...(isFollowed
        ? { onLog: (line) => showLogLine(terminal, line, "note") }
        : spinner !== undefined && terminal.isInteractive
          ? {
              onProgress: ({ fraction, message = "" }) =>
                spinner.update(`${Math.round(fraction * 100)} % ${message}`),
            }
          : {}),
    });
  } catch (error) {
    const next = [command`toolhost logs ${runId} --follow`, command`toolhost cancel ${runId}`];
    const question = questions.open();
    if (interrupted.aborted) {
      const rest =
        question === undefined
          ? "continues."
          : `waits for an answer until ${question.expiresAt}: ${url}`;
      throw new CliError(`Interrupted. The run ${runId} ${rest}`, {
        code: "interrupted",
        exitCode: exitCodes.interrupted,
        next,
        extra: { runId },
      });
    }
    if (error === unanswerable && question !== undefined) return { ...started, question };
    if (!(error instanceof Error && error.name === "ConnectionError")) throw error;
    throw new CliError(`${error.message} The run ${runId} may continue.`, {
      code: "unreachable",
      exitCode: exitCodes.unavailable,
      next,
      extra: { runId },
    });
  } finally {
    questions.handle(null);
    spinner?.done();
  }
}

/** Why the wait for a run stops when there is no terminal to answer at. */
const unanswerable = new Error("The question cannot be answered without a terminal");

type Asked = AskingRun & { url: string; onAsk: () => void };

/** Asks on a terminal. Elsewhere says where the question can be answered, and stops the wait. */
function createQuestionHandler(
  client: Client,
  terminal: Terminal,
  { runId, toolName, url, onAsk }: Asked,
) {
  const stop = new AbortController();
  let closing = new AbortController();
  let open: Question | undefined;
  const ask = async (question: Question, signal: AbortSignal): Promise<void> => {
    try {
      // The prompt has caught Ctrl-C.
      if (!(await answerQuestion(client, { runId, toolName }, question, signal))) {
        process.kill(process.pid, "SIGINT");
      }
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "question_closed" && !signal.aborted) stop.abort(error);
    }
  };
  const handle = (question: Question | null) => {
    closing.abort();
    open = question ?? undefined;
    if (question === null) return;
    closing = new AbortController();
    onAsk();
    if (terminal.isInteractive) {
      void ask(question, closing.signal);
      return;
    }
    terminal.note(questionText(toolName, question.message));
    terminal.note(`Answer before ${question.expiresAt}: ${url}`);
    stop.abort(unanswerable);
  };
  return { handle, open: () => open, stopped: stop.signal };
}

/** Aborts on the first Ctrl-C, so that the command can say what continues. The second one ends the process. */
function listenForInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () =>
    controller.abort(
      new CliError("Interrupted. The run may have started.", {
        code: "interrupted",
        exitCode: exitCodes.interrupted,
        next: ["toolhost runs"],
      }),
    ),
  );
  return controller.signal;
}
