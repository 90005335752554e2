import type { Occasion, Turn } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { getRun } from "#core/runs";
import { getSkill } from "#core/tools";
import { showEnded, showRun } from "./run-blocks.ts";
import { sendFiles } from "./run-files.ts";

/** Tells the end of a run that was promised: a new message, as nobody sees that an old one changed. */
export async function tellEnd(
  context: Context,
  turn: Turn,
  { runId, messageId }: Extract<Occasion, { kind: "run_ended" }>,
): Promise<void> {
  const run = await getRun(context, turn.caller, runId);
  const { title, outputSchema } = await describe(context, turn, run.toolName);
  const { baseUrl } = context.config;
  const { blocks, files } = showRun(run, { title, outputSchema, baseUrl });
  await turn.reply(blocks, { notify: true });
  await turn.amend(messageId, showEnded(runId, { title, baseUrl }));
  await sendFiles(context, turn, { runId, files });
}

/** The tool may be gone by now; what it gave is still theirs. */
async function describe(context: Context, { caller }: Turn, toolName: string) {
  try {
    return await getSkill(context, caller, toolName);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "tool_not_found") throw error;
    return { title: toolName, outputSchema: { properties: [] } };
  }
}
