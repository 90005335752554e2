import { getToolList } from "#core/catalog";
import { requireScope } from "#core/identity";
import type { ChatBlock } from "../block.ts";
import type { ChatContext } from "../context.ts";
import { findThreadDeliveries, wasCancelled } from "../delivery-store.ts";
import { readJobState, readStoppedJobIds, storeJobState } from "../job-state.ts";
import { findJobRuns } from "../run-once.ts";
import { findStoppedJobs } from "../stop-store.ts";
import { findMessageText } from "../transcript-store.ts";
import { reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import { unmaskLinks } from "../unmask-links.ts";
import { messages } from "./messages.ts";
import type { Phrase } from "./read-phrase.ts";
import { ownToolBlocks } from "./own-tools.ts";
import { cancelIfRunning } from "./stop-run.ts";

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
    ...(text === messages.help ? [browse(context), ...(await ownToolBlocks(context, turn))] : []),
  ]);
}

const maxListed = 15;

async function listTools(context: ChatContext, turn: Turn): Promise<void> {
  requireScope(turn.caller, "mcp:read");
  const page = { limit: maxListed, after: undefined, text: undefined };
  const { tools, next } = await getToolList(context, turn.caller, page);
  const lines = tools.map(({ title, description }) =>
    messages.listedTool(title, description.split("\n")[0] ?? ""),
  );
  const text = lines.length === 0 ? messages.noTools : messages.tools(lines, next !== undefined);
  await reply(context, turn, [{ kind: "text", text }, browse(context)]);
}

/** Cancels the runs that the person started in this thread, and those of the answers that were stopped. */
async function stopRuns(context: ChatContext, turn: Turn): Promise<void> {
  requireScope(turn.caller, "mcp:execute");
  const answers = await findStoppedJobs(context.db, readStoppedJobIds(turn.job));
  const count = await cancelRuns(context, turn, answers);
  // The message with the words so far would otherwise stay unfinished.
  turn.replyId ??= answers.find(({ reply_id: replyId }) => replyId !== null)?.reply_id ?? undefined;
  const isIdle = count === 0 && answers.length === 0;
  await reply(context, turn, [
    ...(await shownWords(context, turn)),
    { kind: "text", text: isIdle ? messages.nothingToStop : messages.stopped(count) },
  ]);
}

/** Cancels the runs, and returns how many this job has cancelled in all of its attempts. */
async function cancelRuns(
  context: ChatContext,
  turn: Turn,
  answers: readonly { id: string }[],
): Promise<number> {
  const { caller, connection, threadRef, chatUserId, isDirect, job } = turn;
  const { stoppingRunIds: known = [] } = readJobState(job);
  const thread = isDirect ? undefined : threadRef.thread;
  const where = { connectionId: connection.id, channel: threadRef.channel, thread, chatUserId };
  const reported = await findThreadDeliveries(context.db, where);
  const ids = new Set([...known, ...reported.map(({ run_id: runId }) => runId)]);
  for (const { id } of answers) {
    for (const { runId, status } of await findJobRuns(context, caller, id)) {
      if (status === "running") ids.add(runId);
    }
  }
  // An attempt that is repeated, for example after a rate limit, finds its runs cancelled.
  if (ids.size > known.length) await storeJobState(context, job, { stoppingRunIds: [...ids] });
  let count = 0;
  for (const runId of ids) {
    const isCancelled =
      (await cancelIfRunning(context, caller, runId)) ||
      (known.includes(runId) && (await wasCancelled(context.db, runId)));
    count += isCancelled ? 1 : 0;
  }
  return count;
}

/** What the message of a stopped answer shows already. */
async function shownWords(
  { db }: ChatContext,
  { connection: { id }, threadRef, isDirect, replyId, job }: Turn,
): Promise<ChatBlock[]> {
  // Another attempt may have replied already.
  if (replyId === undefined || replyId === job.reply_id) return [];
  const thread = isDirect ? undefined : threadRef.thread;
  const where = { connectionId: id, channel: threadRef.channel, thread };
  const words = (await findMessageText(db, where, replyId)) ?? "";
  return words === "" ? [] : [{ kind: "markdown", text: unmaskLinks(words) }];
}

function browse({ config }: ChatContext): ChatBlock {
  return { kind: "link", label: messages.browseTools, url: `${config.baseUrl}/catalog` };
}
