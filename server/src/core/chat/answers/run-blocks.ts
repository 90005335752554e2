import type { OutputSchema, Progress, RunResult } from "@toolhost/contract";
import type { ChatBlock } from "../block.ts";
import { cut } from "./json.ts";
import { messages } from "./messages.ts";
import { showOutput } from "./output-blocks.ts";
import type { OutputFile } from "./output-blocks.ts";

const maxMessage = 600;

type Shown = { title: string; outputSchema: OutputSchema; baseUrl: string };

/** A finished run as a message, and the files to upload with it. */
export function showRun(
  { runId, status, output, error }: Pick<RunResult, "runId" | "status" | "output" | "error">,
  { title, outputSchema, baseUrl }: Shown,
): { blocks: ChatBlock[]; files: OutputFile[] } {
  const link = runLink(baseUrl, runId);
  if (status === "completed") {
    const shown = showOutput(output ?? {}, outputSchema);
    const isEmpty = shown.blocks.length === 0;
    const head = text(isEmpty ? messages.completedWithoutOutput(title) : title);
    const note = shown.isCut ? [text(messages.shortened(shown.cutRows))] : [];
    return { blocks: [head, ...shown.blocks, ...note, link], files: shown.files };
  }
  if (status === "cancelled") {
    return { blocks: [text(messages.runCancelled(title)), link], files: [] };
  }
  const message = cut(error?.message ?? "", maxMessage).trim();
  const head = text(messages.failed(title, error?.code ?? "tool_error", message !== ""));
  const details: ChatBlock[] = message === "" ? [] : [{ kind: "code", text: message }];
  return { blocks: [head, ...details, link], files: [] };
}

/** A run in progress. Its result is posted as a new message; a question of its tool is answered on its page. */
export function showRunning(
  { runId, queued, question }: Pick<RunResult, "runId" | "queued" | "question">,
  { title, baseUrl, stopId }: Pick<Shown, "title" | "baseUrl"> & { stopId: string | undefined },
  progress?: Progress | null,
): ChatBlock[] {
  const stop: ChatBlock[] =
    stopId === undefined
      ? []
      : [
          {
            kind: "buttons",
            buttons: [{ label: messages.stop, questionId: stopId, choice: "stop" }],
          },
        ];
  if (question !== undefined) {
    const message: ChatBlock = { kind: "code", text: cut(question.message, maxMessage) };
    return [text(messages.asks(title)), message, runLink(baseUrl, runId), ...stop];
  }
  const state = queued === true ? messages.queued : messages.running;
  return [text(state(title, progress)), runLink(baseUrl, runId), ...stop];
}

/** The message that showed a run in progress, once it has ended: its result is posted below, unless it was cancelled. */
export function showFinished(
  runId: string,
  { title, baseUrl, isCancelled }: Pick<Shown, "title" | "baseUrl"> & { isCancelled: boolean },
): ChatBlock[] {
  const words = isCancelled ? messages.runCancelled(title) : messages.finished(title);
  return [text(words), runLink(baseUrl, runId)];
}

function text(value: string): ChatBlock {
  return { kind: "text", text: value };
}

/** The run's page in the console. */
export function runLink(baseUrl: string, runId: string): ChatBlock {
  return { kind: "link", label: messages.openRun, url: `${baseUrl}/runs/${runId}` };
}
