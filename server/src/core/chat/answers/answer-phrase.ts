import { getToolList } from "#core/catalog";
import { requireScope } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { cancelRun } from "#core/runs";
import type { ChatBlock } from "../block.ts";
import type { ChatContext } from "../context.ts";
import { findThreadDeliveries } from "../delivery-store.ts";
import { reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import { messages } from "./messages.ts";
import { ownToolBlocks } from "./own-tools.ts";

const phrases = {
  help: /^(?:help|help me|what can you do|what do you do|how does this work|\?)$/,
  listTools:
    /^(?:(?:please )?(?:list|show)(?: me)?(?: all| all the| the| my| your)? tools|(?:which|what) tools (?:are there|do you have|can you run|can i use)|tools)$/,
  stop: /^(?:please )?(?:stop|stop it|cancel|cancel it|abort|never ?mind)$/,
  thanks:
    /^(?:(?:ok|okay|great|perfect|nice|cool) )?(?:thanks|thank you|thx|ty|cheers)(?: a lot| so much| very much)?$/,
} as const;

export type Phrase = keyof typeof phrases;

/** The phrase that a whole message is, such as "stop"; undefined for any other message. */
export function readPhrase(text: string): Phrase | undefined {
  if (text.length > 60) return undefined;
  const words = text
    .toLowerCase()
    .replaceAll(/[!.,…]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/(.)\?$/, "$1")
    .trim();
  return (Object.keys(phrases) as Phrase[]).find((name) => phrases[name].test(words));
}

/** Answers a phrase for which neither a tool nor the model is needed. */
export async function answerPhrase(
  context: ChatContext,
  turn: Turn,
  phrase: Phrase,
): Promise<void> {
  if (phrase === "stop") return stopRuns(context, turn);
  if (phrase === "listTools") return listTools(context, turn);
  const text = phrase === "thanks" ? messages.welcome : messages.help;
  await reply(context, turn, [
    { kind: "text", text },
    ...(phrase === "help" ? [...(await ownToolBlocks(context, turn)), browse(context)] : []),
  ]);
}

const maxListed = 15;

async function listTools(context: ChatContext, turn: Turn): Promise<void> {
  requireScope(turn.caller, "mcp:read");
  const page = { limit: maxListed, after: undefined, text: undefined };
  const { tools } = await getToolList(context, turn.caller, page);
  const lines = tools.map(({ title, description }) =>
    messages.listedTool(title, description.split("\n")[0] ?? ""),
  );
  const text = lines.length === 0 ? messages.noTools : messages.tools(lines);
  await reply(context, turn, [{ kind: "text", text }, browse(context)]);
}

/** Cancels the runs that the person started in this thread. */
async function stopRuns(context: ChatContext, turn: Turn): Promise<void> {
  const { caller, connection, threadRef, chatUserId } = turn;
  requireScope(caller, "mcp:execute");
  const where = { connectionId: connection.id, ...threadRef, chatUserId };
  let count = 0;
  for (const { run_id: runId } of await findThreadDeliveries(context.db, where)) {
    try {
      await cancelRun(context, caller, runId);
      count += 1;
    } catch (error) {
      // It has ended in the meantime.
      if (!(error instanceof ServiceError) || error.code !== "run_not_cancellable") throw error;
    }
  }
  const text = count === 0 ? messages.nothingToStop : messages.stopped(count);
  await reply(context, turn, [{ kind: "text", text }]);
}

function browse({ config }: ChatContext): ChatBlock {
  return { kind: "link", label: messages.browseTools, url: `${config.baseUrl}/catalog` };
}
