import { jsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import { getRun } from "#core/runs";
import type { RunResult } from "@toolhost/contract";
import { searchTools } from "#core/tools";
import type { ChatBlock } from "./block.ts";
import type { Responder, Turn } from "./responder.ts";

/** How long a turn waits for its run. */
const waitMs = 10_000;
const suggested = 3;
const command = /^run\s+([a-z0-9_]{1,64})\s*(\{.*\})?\s*$/is;

/** Answers without any guess: runs the tool that a message names, or says which tools may have been meant. */
export const plainResponder: Responder = {
  answer: async (context, turn) => {
    const { occasion } = turn;
    if (occasion.kind === "run_ended") {
      await tellEnd(context, turn, occasion);
    } else if (occasion.kind === "message") {
      const asked = command.exec(occasion.text);
      await (asked === null ? suggest(context, turn, occasion.text) : runNamed(turn, asked));
    }
  },
  formFor: async () => undefined,
  checkForm: async () => [],
};

async function suggest(context: Context, turn: Turn, text: string): Promise<void> {
  const { results } = await searchTools(context, turn.caller, [text.slice(0, 500)], suggested);
  const matches = results[0]?.matches ?? [];
  await turn.reply(
    matches.length === 0
      ? [{ kind: "text", text: "I found no tool for this." }]
      : [
          {
            kind: "text",
            text: "These tools may help. Say “run” and a tool's name, with its input as JSON.",
          },
          {
            kind: "fields",
            fields: matches.map(({ name, description }) => ({ label: name, value: description })),
          },
        ],
  );
}

async function runNamed(turn: Turn, [, name = "", json = "{}"]: RegExpExecArray): Promise<void> {
  const input = readInput(json);
  if (input === undefined) {
    await turn.reply([{ kind: "text", text: "The input is not a JSON object." }]);
    return;
  }
  const toolName = name.toLowerCase();
  const result = await turn.run({ toolName, input, waitMs });
  if (result.status !== "running") {
    await turn.reply(showResult(result));
    return;
  }
  await turn.reply([
    { kind: "text", text: `${toolName} is at work. I tell you when it has ended.` },
  ]);
  await turn.promiseEnd(result.runId);
}

async function tellEnd(
  context: Context,
  turn: Turn,
  { runId, messageId }: { runId: string; messageId: string },
): Promise<void> {
  const run = await getRun(context, turn.caller, runId);
  await turn.reply(showResult(run), { notify: true });
  await turn.amend(messageId, [{ kind: "text", text: `${run.toolName} has ended.` }]);
}

function readInput(json: string) {
  try {
    const parsed = jsonObject.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

const maxShown = 2_800;

function showResult(result: RunResult): ChatBlock[] {
  const link: ChatBlock = { kind: "link", label: "Open the tool", url: result.toolUrl };
  if (result.status === "completed") {
    const text = JSON.stringify(result.output ?? {}, null, 2).slice(0, maxShown);
    return [{ kind: "code", text }, link];
  }
  const why = result.error?.message ?? "It was cancelled.";
  return [{ kind: "text", text: `The run did not work: ${why.slice(0, maxShown)}` }, link];
}
