import { textOfBlocks } from "#core/chat";
import type { ChatBlock, ChatButton } from "#core/chat";
import { messages } from "./messages.ts";
import { literal, toLink, toMarkdown, toRuns, withoutFunctions } from "./teams-text.ts";
import type { CardElement } from "./teams-text.ts";

/** Teams' limit for a message is 28 KB. */
const maxBytes = 24_000;
const maxButtons = 20;
/** Teams shows at most six buttons in a row. */
const rowLength = 5;
const maxLabelLength = 80;
const maxCells = 100;
const maxPlainLength = 4_000;
const maxSummaryLength = 200;
export const cardType = "application/vnd.microsoft.card.adaptive";

export type Mention = { id: string; name: string };

/** The content of a message: a card, and the text that a notification shows. */
export function toTeamsMessage(blocks: readonly ChatBlock[], mention?: Mention): object {
  return {
    type: "message",
    summary: textOfBlocks(blocks).slice(0, maxSummaryLength) || " ",
    attachments: [{ contentType: cardType, content: toCard(blocks, mention) }],
  };
}

/** The content of a message whose card Teams refuses. */
export function toPlainMessage(blocks: readonly ChatBlock[]): object {
  const text = textOfBlocks(blocks);
  const isCut = text.length > maxPlainLength;
  const shown = isCut ? `${text.slice(0, maxPlainLength)}…\n\n${messages.tooLong}` : text;
  return { type: "message", textFormat: "plain", text: shown || messages.tooLong };
}

/** An Adaptive Card. Untrusted text is literal, so it can neither mention anyone nor hide a URL. */
export function toCard(blocks: readonly ChatBlock[], mention?: Mention): object {
  const parts = blocks.map(toElements);
  const isWhole = fits(parts.flat());
  const body = isWhole ? parts.flat() : cutAtParts(blocks, parts);
  // A button may confirm what the message shows.
  const buttons = isWhole ? blocks.flatMap(pressableIn).slice(0, maxButtons) : [];
  return createCard(
    [...(mention === undefined ? [] : [toMention(mention)]), ...body, ...toRows(buttons)],
    {
      msteams: {
        width: "Full",
        ...(mention === undefined ? {} : { entities: [toEntity(mention)] }),
      },
    },
  );
}

export function createCard(body: readonly CardElement[], rest: object = {}): object {
  const $schema = "http://adaptivecards.io/schemas/adaptive-card.json";
  return { type: "AdaptiveCard", $schema, version: "1.5", body, ...rest };
}

/** Whether a message shows all of its blocks. */
export function showsWhole(blocks: readonly ChatBlock[]): boolean {
  return fits(blocks.flatMap(toElements));
}

export function fits(elements: readonly CardElement[]): boolean {
  return Buffer.byteLength(JSON.stringify(elements)) <= maxBytes;
}

/** As many parts as fit, and the beginning of a text that is longer. */
function cutAtParts(blocks: readonly ChatBlock[], parts: readonly CardElement[][]): CardElement[] {
  const shown: CardElement[] = [];
  for (const [index, part] of parts.entries()) {
    if (!fits([...shown, ...part])) {
      const block = blocks[index];
      const left = maxBytes - Buffer.byteLength(JSON.stringify(shown));
      // A character takes at most six bytes.
      const start =
        block === undefined ? "" : textOfBlocks([block]).slice(0, Math.floor(left / 6) - 100);
      return [
        ...shown,
        { type: "RichTextBlock", inlines: [{ type: "TextRun", text: `${start}…` }] },
      ];
    }
    shown.push(...part);
  }
  return shown;
}

function toElements(block: ChatBlock): CardElement[] {
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [literal(block.text)];
    case "markdown":
      return block.text === "" ? [] : [toMarkdown(block.text)];
    case "code":
      return block.text === "" ? [] : [literal(block.text, { isCode: true })];
    case "fields":
      return block.fields.map(({ label, value }) => ({
        type: "RichTextBlock",
        inlines: [...toRuns(`${label}: `, { isBold: true }), ...toRuns(value)],
        spacing: "Small",
      }));
    case "table":
      return toTable(block);
    case "image":
      return [{ type: "Image", url: block.url, altText: block.description }];
    case "link":
      return [toLink(block.label, block.url)];
    case "feedback":
      return [];
    default:
      return toRows(block.buttons.filter((button) => "url" in button));
  }
}

type Table = Extract<ChatBlock, { kind: "table" }>;

function toTable({ columns, rows }: Table): CardElement[] {
  if (columns.length === 0) return [];
  const shown = rows.slice(0, Math.ceil(maxCells / columns.length));
  const row = (cells: readonly string[], isBold: boolean) => ({
    type: "TableRow",
    cells: columns.map((_, index) => toCell(cells[index] ?? "", isBold)),
  });
  const all = [row(columns, true), ...shown.map((cells) => row(cells, false))];
  return [{ type: "Table", columns: columns.map(() => ({ width: 1 })), rows: all }];
}

function toCell(text: string, isBold: boolean): CardElement {
  const items = [literal(text.replaceAll(/\s+/g, " ") || " ", { isBold })];
  return { type: "TableCell", items };
}

function pressableIn(block: ChatBlock): ChatButton[] {
  return block.kind === "buttons" ? block.buttons.filter((button) => !("url" in button)) : [];
}

function toRows(buttons: readonly ChatButton[]): CardElement[] {
  const rows: CardElement[] = [];
  for (let start = 0; start < buttons.length; start += rowLength) {
    const actions = buttons.slice(start, start + rowLength).map(toAction);
    rows.push({ type: "ActionSet", actions });
  }
  return rows;
}

function toAction(button: ChatButton): CardElement {
  const title = withoutFunctions(button.label.slice(0, maxLabelLength));
  if ("url" in button) return { type: "Action.OpenUrl", title, url: button.url };
  const { questionId, choice, style } = button;
  const shown =
    style === undefined ? {} : { style: style === "primary" ? "positive" : "destructive" };
  return { type: "Action.Execute", title, verb: "press", data: { questionId, choice }, ...shown };
}

function toMention({ name }: Mention): CardElement {
  return { type: "TextBlock", text: `<at>${name}</at>`, wrap: true };
}

function toEntity({ id, name }: Mention): object {
  return { type: "mention", text: `<at>${name}</at>`, mentioned: { id, name } };
}
