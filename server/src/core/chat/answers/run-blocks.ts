import type { OutputSchema, Progress, RunErrorCode, RunResult } from "@toolhost/contract";
import type { ChatBlock } from "../block.ts";
import { cut } from "./json.ts";
import { showOutput } from "./output-blocks.ts";
import type { OutputFile } from "./output-blocks.ts";

const maxMessage = 600;

/** What people are told of each way in which a run fails; the tool's own words come after it. */
const failures: Record<RunErrorCode, string> = {
  tool_error: "it failed",
  invalid_output: "it gave something else than it promises, which its author has to mend",
  timeout: "it took too long",
  cpu_limit: "it calculated for too long",
  memory_limit: "it needed too much memory",
  output_too_large: "its result is too large",
  egress_denied: "it tried to reach a host that it may not",
  interrupted: "the service was stopped meanwhile; it may have done a part of its work",
  sandbox_lost: "its process was lost; it may have done a part of its work",
};

type Shown = { title: string; outputSchema: OutputSchema; baseUrl: string };

/** A run that has ended as a message, with the files to be put beside it. */
export function showRun(
  { runId, status, output, error }: Pick<RunResult, "runId" | "status" | "output" | "error">,
  { title, outputSchema, baseUrl }: Shown,
): { blocks: ChatBlock[]; files: OutputFile[] } {
  const link = runLink(baseUrl, runId);
  if (status === "completed") {
    const shown = showOutput(output ?? {}, outputSchema);
    const isEmpty = shown.blocks.length === 0;
    const head: ChatBlock = { kind: "text", text: isEmpty ? `${title} is done.` : title };
    const rest = "This is shortened; the run's page has all of it.";
    const note: ChatBlock[] = shown.isCut ? [{ kind: "text", text: rest }] : [];
    return { blocks: [head, ...shown.blocks, ...note, link], files: shown.files };
  }
  if (status === "cancelled") {
    return { blocks: [{ kind: "text", text: `${title} was cancelled.` }, link], files: [] };
  }
  const why = failures[error?.code ?? "tool_error"];
  const message = cut(error?.message ?? "", maxMessage).trim();
  const text = `${title} did not work: ${why}.`;
  const words: ChatBlock[] = message === "" ? [] : [{ kind: "code", text: message }];
  return { blocks: [{ kind: "text", text }, ...words, link], files: [] };
}

/** A run that goes on. Its end comes as a message of its own. */
export function showRunning(
  { runId, queued }: Pick<RunResult, "runId" | "queued">,
  { title, baseUrl }: Pick<Shown, "title" | "baseUrl">,
  progress?: Progress | null,
): ChatBlock[] {
  const state = queued === true ? "waits for its turn" : "is working";
  const text = `${title} ${state}${progress == null ? "" : `: ${progressText(progress)}`}. I will post here when it ends.`;
  return [{ kind: "text", text }, runLink(baseUrl, runId)];
}

/** The message about a run that went on, once its end was told below it. */
export function showFinished(
  runId: string,
  { title, baseUrl }: Pick<Shown, "title" | "baseUrl">,
): ChatBlock[] {
  return [
    { kind: "text", text: `${title} has ended; the result is below.` },
    runLink(baseUrl, runId),
  ];
}

function progressText({ fraction, message }: Progress): string {
  const percent = `${Math.round(Math.max(0, Math.min(1, fraction)) * 100)} %`;
  const words = cut((message ?? "").replaceAll(/\s+/g, " ").trim(), 200);
  return words === "" ? percent : `${percent}, ${words}`;
}

/** The run's page in the web application. */
export function runLink(baseUrl: string, runId: string): ChatBlock {
  return { kind: "link", label: "Open the run", url: `${baseUrl}/runs/${runId}` };
}
