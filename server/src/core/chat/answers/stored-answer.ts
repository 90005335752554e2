import type { JsonObject, MissingCredential } from "@toolhost/contract";
import type { ChatContext } from "../context.ts";
import { readJobState, storeJobState } from "../job-state.ts";
import { openAnswer, sealAnswer } from "../sealed.ts";
import type { Turn } from "../turn.ts";
import type { AgentWork } from "./agent-tools.ts";
import { findTool } from "./find-tool.ts";
import type { ToolRequest } from "./subject.ts";

/** The words of the model, and why it ended. */
export type ModelAnswer = {
  text: string;
  end: "answer" | "steps" | "tokens" | "failed" | "interrupted";
};

type StoredAnswer = {
  said: ModelAnswer;
  pause?:
    | { kind: "running" }
    | { kind: "confirm"; toolRequest: ToolRequest }
    | {
        kind: "missing";
        toolRequest: ToolRequest;
        missing: MissingCredential[];
      };
};

/** Stores the model's answer before it is posted, so that no later attempt asks the model again. */
export async function storeAnswer(
  context: ChatContext,
  turn: Turn,
  { said, pause }: { said: ModelAnswer; pause: AgentWork["pause"] },
): Promise<void> {
  const { tool: _, ...stored } = { tool: undefined, ...pause };
  const answer = pause === undefined ? { said } : { said, pause: stored };
  const sealedAnswer = sealAnswer(context, turn.job.id, answer as unknown as JsonObject);
  await storeJobState(context, turn.job, { sealedAnswer });
}

/** The answer that an earlier attempt stored. Throws `tool_not_found` if its tool is gone. */
export async function restoreAnswer(
  context: ChatContext,
  turn: Turn,
): Promise<{ said: ModelAnswer; pause: AgentWork["pause"] } | undefined> {
  const { sealedAnswer } = readJobState(turn.job);
  if (sealedAnswer === undefined) return undefined;
  const stored = openAnswer(context, turn.job.id, sealedAnswer) as unknown as StoredAnswer;
  const { said, pause } = stored;
  if (pause === undefined) return { said, pause };
  // The run may have ended, so only its current state counts.
  if (pause.kind === "running") return { said: { ...said, end: "answer" }, pause: undefined };
  const tool = await findTool(context, turn.caller, pause.toolRequest);
  return { said, pause: { ...pause, tool } };
}
