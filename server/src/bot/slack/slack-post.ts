import type { AnyBlock } from "@slack/types";
import type { WebAPICallResult } from "@slack/web-api";
import { ChatError, textOfBlocks } from "#core/chat";
import type { ChatBlock } from "#core/chat";
import { clip, toSlackBlocks } from "./slack-blocks.ts";
import type { CallSlack } from "./slack-call.ts";
import { escapeSlack } from "./slack-text.ts";

/** Slack's limit for the text of an edited message. */
const maxTextLength = 4_000;
const respondMs = 3_000;
const maxErrorBytes = 10_000;

type Content = { text: string; blocks: AnyBlock[] };

/**
 * A message, and simpler forms of it for the case that Slack refuses one. The text is also for notifications. A form
 * that does not show the whole text has no buttons, because they may confirm it.
 */
export function contents(blocks: readonly ChatBlock[], notify?: string): Content[] {
  const words = clip(escapeSlack(textOfBlocks(blocks)), maxTextLength) || "…";
  const mention = notify === undefined ? "" : `<@${notify}> `;
  const buttons = toSlackBlocks(blocks.filter(({ kind }) => kind === "buttons"));
  const text = clip(`${mention}${words}`, maxTextLength);
  const whole = textOfBlocks(blocks) || "…";
  const withButtons = [...sections(whole), ...buttons];
  const isWhole = whole.length <= maxSections * maxSectionLength;
  return [
    { text: words, blocks: toSlackBlocks(blocks, notify) },
    ...(buttons.length === 0 || !isWhole ? [] : [{ text, blocks: withButtons }]),
    { text, blocks: [] },
  ];
}

const maxSectionLength = 3_000;
const maxSections = 8;

function sections(whole: string): AnyBlock[] {
  const count = Math.ceil(whole.length / maxSectionLength);
  return Array.from({ length: count }, (_, index) => {
    const text = whole.slice(index * maxSectionLength, (index + 1) * maxSectionLength);
    return { type: "section", text: { type: "plain_text", text, emoji: false } };
  });
}

/** Calls a method with the first form of a message that Slack accepts. A refused call has no effect. */
export async function callWithContent(
  call: CallSlack,
  method: string,
  [first, ...simpler]: readonly Content[],
  values: Readonly<Record<string, unknown>>,
): Promise<WebAPICallResult> {
  try {
    const hasUnfurl = method === "chat.postMessage";
    const links = hasUnfurl ? { unfurl_links: false, unfurl_media: false } : {};
    return await call(method, { ...values, ...first, ...links });
  } catch (error) {
    if (simpler.length === 0 || !isContentRefused(error)) throw error;
    return callWithContent(call, method, simpler, values);
  }
}

const contentCodes = /: (?:invalid_blocks|invalid_blocks_format|msg_blocks_too_long|msg_too_long)$/;

/** Whether Slack refused what a message contains, so that a simpler form may be accepted. */
export function isContentRefused(error: unknown): boolean {
  return error instanceof ChatError && contentCodes.test(error.message);
}

type Private = { channel: string; user: string; blocks: readonly ChatBlock[] };

/** Sends a direct message, or an ephemeral one in the channel where that is not allowed. */
export async function postPrivately(
  call: CallSlack,
  { channel, user, blocks }: Private,
): Promise<void> {
  try {
    await callWithContent(call, "chat.postMessage", contents(blocks), { channel: user });
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    await callWithContent(call, "chat.postEphemeral", contents(blocks), { channel, user });
  }
}

/**
 * Shows the user who pressed a button or typed a command a message, by the URL that came with it. `isReplacing` replaces
 * the message with the button. Throws `ChatError`, which is `gone` for a URL that takes nothing more.
 */
export async function respondTo(
  apiUrl: string,
  responseUrl: string,
  [first, ...simpler]: readonly Content[],
  isReplacing = false,
): Promise<void> {
  const message = { response_type: "ephemeral", replace_original: isReplacing, ...first };
  const { status, retryAfterMs, text } = await send(responseHostUrl(apiUrl, responseUrl), message);
  if (status === 200) return;
  const said = `response_url: HTTP ${status}`;
  if (status === 429) throw new ChatError("later", said, { kind: "rate_limited", retryAfterMs });
  if (status >= 500) throw new ChatError("later", said);
  if (status === 404 || /(?:used|expired)_url/.test(text)) throw new ChatError("gone", said);
  if (simpler.length === 0) throw new ChatError("refused", said);
  await respondTo(apiUrl, responseUrl, simpler, isReplacing);
}

type Response = { status: number; retryAfterMs: number; text: string };

async function send(url: URL, message: object): Promise<Response> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
      redirect: "manual",
      signal: AbortSignal.timeout(respondMs),
    });
    const retryAfterMs = (Number(answer.headers.get("retry-after")) || 1) * 1_000;
    // Only errors have a text, and Slack's are short.
    const isShort = Number(answer.headers.get("content-length") ?? maxErrorBytes) < maxErrorBytes;
    const text = answer.status === 200 || !isShort ? "" : await answer.text();
    if (!answer.bodyUsed) await answer.body?.cancel();
    return { status: answer.status, retryAfterMs, text };
  } catch {
    throw new ChatError("later", "response_url: no response");
  }
}

/** A URL on Slack's host for responses, or on the host of a custom API. Throws `ChatError` for any other. */
function responseHostUrl(apiUrl: string, given: string): URL {
  const api = new URL(apiUrl);
  const url = URL.parse(given);
  const host = `hooks.${api.host.replace(/^www\./, "")}`;
  const isOurs =
    url !== null && (url.origin === api.origin || (url.protocol === "https:" && url.host === host));
  if (!isOurs) throw new ChatError("refused", "response_url: the URL is not Slack's");
  return url;
}
