import { createHash } from "node:crypto";
import type {
  APIAllowedMentions,
  APIButtonComponent,
  APIMediaGalleryComponent,
  APIMessageTopLevelComponent,
} from "discord-api-types/v10";
import { textOfBlocks } from "#core/chat";
import type { ChatBlock, ChatButton } from "#core/chat";
import { codeBlock } from "../code-block.ts";
import { clip, escapeDiscord, fit, sanitizeMarkdown } from "./discord-text.ts";

/** Of Discord's 40 in a message, nested ones included. */
const maxComponents = 36;
/** Of Discord's 4,000 characters in all texts of a message. */
const maxTextLength = 3_900;
const maxButtons = 20;
const maxButtonsInRow = 5;
const maxLabelLength = 80;
const maxUrlLength = 512;
const maxCellLength = 60;
const maxFileBytes = 1024 * 1024;

/** The name of the file with the full text of a message. */
export const wholeFileName = "answer.txt";
/** `IS_COMPONENTS_V2`: the message has only components. */
const componentsFlag = 32_768;
/** `EPHEMERAL`: only the user of the interaction sees the message. */
export const privateFlag = 64;

type DiscordContent = {
  flags: number;
  components: APIMessageTopLevelComponent[];
  allowed_mentions: APIAllowedMentions;
};

/** A message, and its full text as a file where it exceeds the limits of Discord. */
export type DiscordMessage = { content: DiscordContent; whole: Buffer | undefined };

type MessageOptions = { notify?: string | undefined; mark?: string | undefined };

/** A message as Discord components. It mentions only `notify`. */
export function toDiscordMessage(
  blocks: readonly ChatBlock[],
  { notify, mark }: MessageOptions = {},
): DiscordMessage {
  const first = notify === undefined ? [] : [`<@${notify}>`];
  const { components, isCut } = lay(blocks, first);
  if (isCut) components.push({ type: 13, file: { url: `attachment://${wholeFileName}` } });
  const [head, ...rest] = components;
  const marked = mark === undefined || head === undefined ? head : { ...head, id: markId(mark) };
  return {
    content: {
      flags: componentsFlag,
      components: marked === undefined ? [{ type: 10, content: "…" }] : [marked, ...rest],
      allowed_mentions: { parse: [], ...(notify === undefined ? {} : { users: [notify] }) },
    },
    whole: isCut ? Buffer.from(textOfBlocks(blocks)).subarray(0, maxFileBytes) : undefined,
  };
}

/** A mark as the ID of a component, the only data of ours that Discord stores with a message. */
export function markId(mark: string): number {
  // A signed 32-bit integer; Discord replaces zero.
  return (createHash("sha256").update(mark).digest().readUInt32BE() % 0x7f_ff_ff_fe) + 1;
}

/** Lays out blocks one below the other, with text in as few components as possible. */
function lay(blocks: readonly ChatBlock[], first: string[]) {
  const components: APIMessageTopLevelComponent[] = [];
  let texts = first;
  let buttons: ChatButton[] = [];
  let room = maxTextLength - first.join("").length;
  let isCut = false;
  const flush = () => {
    if (texts.length > 0) components.push({ type: 10, content: texts.join("\n") });
    components.push(...toRows(buttons));
    texts = [];
    buttons = [];
  };
  for (const block of blocks) {
    if (countAll(components) > maxComponents) isCut = true;
    else if (block.kind === "buttons" || isButton(block)) {
      buttons.push(...(block.kind === "buttons" ? block.buttons : [toLinkButton(block)]));
    } else {
      if (buttons.length > 0) flush();
      const image = toImage(block);
      if (image !== undefined) {
        flush();
        components.push(image);
        continue;
      }
      const { text, render } = toText(block);
      if (text === "") continue;
      const whole = render(text);
      const shown = whole.length < room ? whole : room > 20 ? fit(text, render, room - 1) : "";
      isCut ||= shown !== whole;
      room -= shown.length + 1;
      if (shown !== "") texts.push(shown);
    }
  }
  flush();
  return { components, isCut };
}

function countAll(components: readonly APIMessageTopLevelComponent[]): number {
  return components.reduce(
    (sum, one) => sum + 1 + ("components" in one ? one.components.length : 0),
    0,
  );
}

type Text = { text: string; render: (text: string) => string };

function toText(block: ChatBlock): Text {
  switch (block.kind) {
    case "markdown":
      return { text: block.text, render: sanitizeMarkdown };
    case "code":
      return { text: block.text, render: codeBlock };
    case "table":
      return { text: tableText(block), render: codeBlock };
    case "fields":
      return { text: fieldsText(block), render: renderFields };
    default:
      return { text: textOfBlocks([block]), render: escapeDiscord };
  }
}

/** Separates a label from its value; removed from both. */
const unit = "\u001F";

function fieldsText({ fields }: Extract<ChatBlock, { kind: "fields" }>): string {
  const bare = (text: string) => text.replaceAll(unit, " ");
  return fields
    .map(({ label, value }) => `${bare(label)}${unit}${bare(value)}`)
    .join(`${unit}${unit}`);
}

function renderFields(text: string): string {
  return text
    .split(`${unit}${unit}`)
    .map((line) => {
      const [label = "", value = ""] = line.split(unit).map((part) => escapeDiscord(part));
      return `**${label}:** ${value}`;
    })
    .join("\n");
}

function tableText({ columns, rows }: Extract<ChatBlock, { kind: "table" }>): string {
  const cells = [columns, ...rows].map((row) =>
    row.map((cell) => clip(cell.replaceAll(/\s+/g, " "), maxCellLength)),
  );
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? "").length)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(" | ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("-+-");
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function toImage(block: ChatBlock): APIMediaGalleryComponent | undefined {
  if (block.kind !== "image" || !isWebAddress(block.url, 2_000)) return undefined;
  const description = clip(block.description, 1_000);
  const item = { media: { url: block.url }, ...(description === "" ? {} : { description }) };
  return { type: 12, items: [item] };
}

type Link = Extract<ChatBlock, { kind: "link" }>;

function isButton(block: ChatBlock): block is Link {
  return block.kind === "link" && isWebAddress(block.url, maxUrlLength);
}

function toLinkButton({ label, url }: Link): ChatButton {
  return { label, url };
}

function isWebAddress(text: string, length: number): boolean {
  return text.length <= length && /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Discord refuses two buttons with the same ID, and URLs that are too long. */
function toRows(buttons: readonly ChatButton[]): APIMessageTopLevelComponent[] {
  const ids = new Set<string>();
  const shown = buttons.flatMap((button): APIButtonComponent[] => {
    const label = clip(button.label, maxLabelLength) || "…";
    if ("url" in button) {
      return isWebAddress(button.url, maxUrlLength)
        ? [{ type: 2, style: 5, label, url: button.url }]
        : [];
    }
    const customId = writeButtonId(button);
    if (customId.length > 100 || ids.has(customId)) return [];
    ids.add(customId);
    return [{ type: 2, style: styles[button.style ?? "secondary"], label, custom_id: customId }];
  });
  const rows: APIMessageTopLevelComponent[] = [];
  for (let at = 0; at < Math.min(shown.length, maxButtons); at += maxButtonsInRow) {
    rows.push({ type: 1, components: shown.slice(at, at + maxButtonsInRow) });
  }
  return rows;
}

const styles = { primary: 1, secondary: 2, danger: 4 } as const;

type Choice = { questionId: string; choice: string };

/** The `custom_id` of a button. */
function writeButtonId({ questionId, choice }: Choice): string {
  return `${questionId}:${choice}`;
}

export function readButtonId(text: string): Choice | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  return { questionId: text.slice(0, colon), choice: text.slice(colon + 1) };
}
