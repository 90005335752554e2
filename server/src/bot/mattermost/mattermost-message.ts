import type { ChatBlock, ChatButton } from "#core/chat";
import { codeBlock } from "../code-block.ts";
import { escapeMattermost, escapeUrl, sanitizeMarkdown } from "./mattermost-text.ts";
import { signPress } from "./press-signature.ts";

/** Mattermost's limit for a message is 16,383 characters. */
const maxLength = 15_000;
const maxButtons = 20;
const maxLabelLength = 80;
const maxRows = 50;

/** The property of a message with the mark by which the bot finds it. */
export const markProperty = "toolhost_mark";

export type Rendering = { baseUrl: string; botToken: string };

/** The content of a message. Untrusted text is escaped, so it can neither mention anyone nor hide a URL. */
export function toMattermostMessage(
  { baseUrl, botToken }: Rendering,
  blocks: readonly ChatBlock[],
  { mark, mention }: { mark?: string | undefined; mention?: string | undefined } = {},
): { message: string; props: object } {
  const texts = toParts(blocks);
  const parts = mention === undefined ? texts : [`@${mention}`, ...texts];
  const message = cutAtParts(parts);
  const buttons = blocks.flatMap((block) => (block.kind === "buttons" ? block.buttons : []));
  // A button may confirm what the message shows.
  const pressable = fits(parts) ? buttons : [];
  const actions = pressable
    .flatMap((button) => ("url" in button ? [] : [button]))
    .slice(0, maxButtons)
    .map(({ label, style, questionId, choice }, index) => ({
      // Mattermost accepts letters and digits only.
      id: `button${index}`,
      type: "button",
      name: label.slice(0, maxLabelLength),
      style: style ?? "default",
      integration: {
        url: `${baseUrl}/bot/mattermost/actions`,
        context: signPress(botToken, questionId, choice),
      },
    }));
  const attachments = actions.length === 0 ? [] : [{ fallback: "", text: "", actions }];
  return {
    message,
    props: {
      // An update without attachments would keep those of the message.
      attachments,
      disable_group_highlight: true,
      ...(mark === undefined ? {} : { [markProperty]: mark }),
    },
  };
}

/** Whether a message shows all of its blocks. */
export function showsWhole(blocks: readonly ChatBlock[]): boolean {
  return fits(toParts(blocks));
}

function fits(parts: readonly string[]): boolean {
  return parts.join("\n\n").length <= maxLength;
}

function toParts(blocks: readonly ChatBlock[]): string[] {
  return blocks.map(toText).filter((text) => text !== "");
}

/** As many parts as fit, so that no markup is cut open. */
function cutAtParts(parts: readonly string[]): string {
  let message = "";
  for (const part of parts) {
    const joined = message === "" ? part : `${message}\n\n${part}`;
    if (joined.length > maxLength)
      return message === "" ? `${part.slice(0, maxLength)}…` : `${message}\n\n…`;
    message = joined;
  }
  return message;
}

function toText(block: ChatBlock): string {
  switch (block.kind) {
    case "text":
      return escapeMattermost(block.text);
    case "markdown":
      return sanitizeMarkdown(block.text);
    case "code":
      return block.text === "" ? "" : codeBlock(block.text);
    case "fields":
      return block.fields
        .map(({ label, value }) => `**${escapeMattermost(label)}:** ${escapeMattermost(value)}`)
        .join("\n");
    case "table":
      return toTable(block);
    case "image":
      return `${escapeMattermost(block.description)}: ${escapeMattermost(block.url)}`;
    case "link":
      return toLink(block.label, block.url);
    case "feedback":
      return "";
    default:
      return block.buttons.flatMap(toLinkOfButton).join(" · ");
  }
}

function toLinkOfButton(button: ChatButton): string[] {
  return "url" in button ? [toLink(button.label, button.url)] : [];
}

function toLink(label: string, url: string): string {
  return `[${escapeMattermost(label)}](${escapeUrl(url).replaceAll(")", "%29")})`;
}

type Table = Extract<ChatBlock, { kind: "table" }>;

function toTable({ columns, rows }: Table): string {
  const rule = `|${" --- |".repeat(columns.length)}`;
  return [line(columns), rule, ...rows.slice(0, maxRows).map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => escapeMattermost(cell.replaceAll(/\s+/g, " "))).join(" | ")} |`;
}
