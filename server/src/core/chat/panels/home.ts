import { getToolList } from "#core/catalog";
import { getRunList } from "#core/runs";
import { describeTool } from "../answers/find-tool.ts";
import { firstSentence } from "../answers/offer-tools.ts";
import { findOwnTools } from "../answers/own-tools.ts";
import { readSubject } from "../answers/subject.ts";
import { ChatError } from "../chat-error.ts";
import type { ChatContext } from "../context.ts";
import { messages } from "../messages.ts";
import type { ChatTransport } from "../platform.ts";
import { findOpenQuestions } from "../question-store.ts";
import { openSubject } from "../sealed.ts";
import type { PanelUser } from "./fill-panel.ts";
import type { ChatHome, HomeSectionItem } from "./panel.ts";

const maxTools = 10;
const maxSuggested = 5;
const maxPending = 5;
const maxRunning = 5;

/** What a person finds on their Home: what waits for them, their runs and their tools. */
export async function describeHome(
  context: ChatContext,
  user: PanelUser,
  transport: ChatTransport,
): Promise<ChatHome> {
  const { baseUrl } = context.config;
  const [waiting, { asking, running }, tools] = await Promise.all([
    describePending(context, user, transport),
    describeRuns(context, user),
    findOwnTools(context, user.caller, maxTools),
  ]);
  const pending = [...asking, ...waiting];
  const none = tools.length === 0 ? await suggestTools(context, user) : [];
  return {
    sections: [
      { text: messages.homeWelcome },
      ...(pending.length === 0 ? [] : [{ title: messages.homePending, items: pending }]),
      ...(running.length === 0 ? [] : [{ title: messages.homeRunning, items: running }]),
      ...(tools.length === 0 ? [] : [{ title: messages.homeTools, items: tools.map(toToolItem) }]),
      ...(none.length === 0
        ? []
        : [{ title: messages.homeOtherTools, items: none.map(toToolItem) }]),
      {
        buttons: [
          { label: messages.browseTools, url: `${baseUrl}/catalog` },
          { label: messages.homeConnect, url: `${baseUrl}/credentials` },
        ],
      },
    ],
  };
}

type Listed = Awaited<ReturnType<typeof findOwnTools>>[number];

function toToolItem({ name, title, description }: Listed): HomeSectionItem {
  return {
    text: `${title}\n${firstSentence(description)}`,
    button: { label: messages.run, toolName: name },
  };
}

async function suggestTools(context: ChatContext, { caller }: PanelUser): Promise<Listed[]> {
  if (!caller.scopes.has("mcp:execute")) return [];
  const page = { limit: maxSuggested, after: undefined, text: undefined };
  return (await getToolList(context, caller, page)).tools;
}

/** The confirmations that wait for the person, and the runs that wait for credentials. */
async function describePending(
  context: ChatContext,
  { connection, chatUserId, caller }: PanelUser,
  transport: ChatTransport,
): Promise<HomeSectionItem[]> {
  const now = context.clock.now();
  const who = { connectionId: connection.id, chatUserId, now };
  const items: HomeSectionItem[] = [];
  for (const row of await findOpenQuestions(context.db, who, maxPending)) {
    const { toolName } = readSubject({ subject: openSubject(context, row.id, row.sealed_subject) });
    const { title } = await describeTool(context, caller, toolName);
    const url = await findUrl(transport, row);
    const text =
      row.kind === "again" ? messages.homeNeedsCredentials(title) : messages.homeConfirm(title);
    items.push(url === undefined ? { text } : { text, button: { label: messages.open, url } });
  }
  return items;
}

async function findUrl(
  { panels }: ChatTransport,
  { channel, message_id: messageId }: { channel: string; message_id: string | null },
): Promise<string | undefined> {
  if (messageId === null) return undefined;
  try {
    return await panels?.findUrl(channel, messageId);
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    return undefined;
  }
}

/** The person's runs that have not ended: those that ask them a question, and the others. */
async function describeRuns(
  context: ChatContext,
  { caller }: PanelUser,
): Promise<{ asking: HomeSectionItem[]; running: HomeSectionItem[] }> {
  if (!caller.scopes.has("mcp:read")) return { asking: [], running: [] };
  const filter = { status: "running", userId: caller.userId };
  const page = { limit: maxRunning, after: undefined };
  const { runs } = await getRunList(context, caller, filter, page);
  const toItem = ({ runId, title, toolName, question }: (typeof runs)[number]) => {
    const say = question === undefined ? messages.homeRun : messages.homeAsks;
    const url = `${context.config.baseUrl}/runs/${runId}`;
    return { text: say(title ?? toolName), button: { label: messages.open, url } };
  };
  const asks = runs.filter(({ question }) => question !== undefined);
  const works = runs.filter(({ question }) => question === undefined);
  return { asking: asks.map(toItem), running: works.map(toItem) };
}
