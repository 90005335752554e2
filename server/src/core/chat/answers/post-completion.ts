import type { Trigger } from "../trigger.ts";
import { editMessage, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { getRun } from "#core/runs";
import { feedbackBlocks } from "./feedback.ts";
import { describeTool } from "./find-tool.ts";
import { outcomeOf } from "./run-and-answer.ts";
import { showFinished, showRun } from "./run-blocks.ts";
import { sendFiles } from "./run-files.ts";

/**
 * Posts the result of a run that a chat user waits for as a new message, because an edited message notifies no one. A
 * cancelled run has no result, so its message alone says so.
 */
export async function postCompletion(
  context: ChatContext,
  turn: Turn,
  { runId, messageId }: Extract<Trigger, { kind: "run_ended" }>,
): Promise<void> {
  const run = await getRun(context, turn.caller, runId);
  const { title, outputSchema } = await describeTool(context, turn.caller, run.toolName);
  const { baseUrl } = context.config;
  turn.outcome = outcomeOf(run);
  const isCancelled = run.status === "cancelled";
  const ended = showFinished(runId, { title, baseUrl, isCancelled });
  if (isCancelled) return editMessage(context, turn, messageId, ended);
  const { blocks: result, files } = showRun(run, { title, outputSchema, baseUrl });
  const blocks = [...result, ...(await feedbackBlocks(context, turn, run))];
  await reply(context, turn, blocks, { notify: true });
  await editMessage(context, turn, messageId, ended);
  await sendFiles(context, turn, { runId, files, blocks });
}
