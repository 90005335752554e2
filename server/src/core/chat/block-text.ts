import type { ChatBlock } from "./block.ts";

/** A message as plain text, for notifications and transcripts. */
export function textOfBlocks(blocks: readonly ChatBlock[]): string {
  return blocks
    .map(textOfBlock)
    .filter((text) => text !== "")
    .join("\n");
}

function textOfBlock(block: ChatBlock): string {
  switch (block.kind) {
    case "text":
    case "markdown":
    case "code":
      return block.text;
    case "fields":
      return block.fields.map(({ label, value }) => `${label}: ${value}`).join("\n");
    case "table":
      return [block.columns, ...block.rows].map((cells) => cells.join(" | ")).join("\n");
    case "image":
      return block.description;
    case "link":
      return `${block.label}: ${block.url}`;
    default:
      return "";
  }
}
