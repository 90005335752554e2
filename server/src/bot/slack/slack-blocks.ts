import type { AnyBlock, KnownBlock, RichTextElement } from "@slack/types";
import { unmaskLinks } from "#core/chat";
import type { ChatBlock, ChatButton } from "#core/chat";
import { messages } from "./messages.ts";
import { escapeSlack } from "./slack-text.ts";

const maxBlocks = 45;
const maxTextLength = 3_000;
const maxMarkdownLength = 10_000;
const maxTableRows = 100;
const maxTableColumns = 20;
const maxCellLength = 500;
const maxButtons = 25;
const maxLabelLength = 75;

/**
 * A message as Slack blocks. Untrusted text is placed where Slack reads no markup, so it cannot mention anyone or hide a URL
 * behind other text.
 */
export function toSlackBlocks(blocks: readonly ChatBlock[], notify?: string): AnyBlock[] {
  const mention = notify === undefined ? [] : [toMention(notify)];
  let hasTable = false;
  const shown = blocks.slice(0, maxBlocks).flatMap((block): AnyBlock[] => {
    if (block.kind !== "table") return toBlock(block);
    // Slack allows one table per message.
    if (hasTable) return [preformatted(tableText(block))];
    hasTable = true;
    return [toTable(block)];
  });
  return [...mention, ...shown];
}

function toBlock(block: Exclude<ChatBlock, { kind: "table" }>): AnyBlock[] {
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [richText(withLinks(clip(block.text)))];
    case "markdown":
      return block.text === ""
        ? []
        : [{ type: "markdown", text: clip(sanitizeMarkdown(block.text), maxMarkdownLength) }];
    case "code":
      return block.text === "" ? [] : [preformatted(block.text)];
    case "fields":
      return block.fields.length === 0 ? [] : [toFields(block.fields)];
    case "image":
      return [
        {
          type: "image",
          image_url: block.url,
          alt_text: clip(block.description, 2_000) || "image",
        },
      ];
    case "link":
      return [richText([{ type: "link", url: block.url, text: clip(block.label) }])];
    case "feedback":
      return [toFeedback(block.questionId)];
    default:
      return toActions(block.buttons);
  }
}

/** One block, because their number is limited. */
function toFields(fields: Extract<ChatBlock, { kind: "fields" }>["fields"]): KnownBlock {
  const elements = fields.map(({ label, value }) => ({
    type: "rich_text_section" as const,
    elements: [
      { type: "text" as const, text: `${clip(label)}: `, style: { bold: true } },
      ...withLinks(clip(value)),
    ],
  }));
  return { type: "rich_text", elements };
}

function richText(elements: RichTextElement[]): KnownBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
}

/** Text whose URLs are links. They show where they lead. */
function withLinks(text: string): RichTextElement[] {
  return text
    .split(/(\bhttps?:\/\/[^\s<>"]{1,2000}[^\s<>"'.,;:!?)\]}])/)
    .filter((part) => part !== "")
    .map((part) =>
      /^https?:/.test(part) && URL.canParse(part)
        ? { type: "link", url: part }
        : { type: "text", text: part },
    );
}

function preformatted(text: string): KnownBlock {
  return {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: clip(text) }] }],
  };
}

function toMention(chatUserId: string): KnownBlock {
  return richText([{ type: "user", user_id: chatUserId }]);
}

type Table = Extract<ChatBlock, { kind: "table" }>;

function toTable({ columns, rows }: Table): AnyBlock {
  const cells = [columns, ...rows.slice(0, maxTableRows - 1)].map((row) =>
    row.slice(0, maxTableColumns).map((text) => ({
      type: "raw_text" as const,
      // Slack refuses empty cells.
      text: clip(text, maxCellLength) || " ",
    })),
  );
  return { type: "table", rows: cells };
}

function tableText({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => row.join(" | ")).join("\n");
}

function toActions(buttons: readonly ChatButton[]): AnyBlock[] {
  if (buttons.length === 0) return [];
  const elements = buttons.slice(0, maxButtons).map((button, index) => ({
    type: "button" as const,
    action_id: `button-${index}`,
    text: { type: "plain_text" as const, text: clip(button.label, maxLabelLength), emoji: false },
    ...(button.style === undefined ? {} : { style: button.style }),
    ...("url" in button ? { url: button.url } : { value: `${button.questionId}:${button.choice}` }),
  }));
  return [{ type: "actions", elements }];
}

function toFeedback(questionId: string): AnyBlock {
  const toChoice = (choice: "good" | "bad") => ({
    text: { type: "plain_text" as const, text: messages.feedback[choice].text, emoji: true },
    accessibility_label: messages.feedback[choice].label,
    value: `${questionId}:${choice}`,
  });
  return {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: "feedback",
        positive_button: toChoice("good"),
        negative_button: toChoice("bad"),
      },
    ],
  };
}

/** The question and choice of a button; undefined for a link button. */
export function readButtonValue(value: string): { questionId: string; choice: string } | undefined {
  const colon = value.indexOf(":");
  if (colon < 0) return undefined;
  return { questionId: value.slice(0, colon), choice: value.slice(colon + 1) };
}

/** Markdown without mentions, and with every URL visible. */
export function sanitizeMarkdown(text: string): string {
  return escapeSlack(unmaskLinks(text));
}

/** Shortens a text without splitting a surrogate pair. */
export function clip(text: string, length = maxTextLength): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
