import { unmaskLinks } from "#core/chat";
import { nothing } from "../code-block.ts";

const url = /(\bhttps?:\/\/[a-z\d][a-z\d.-]*(?::\d+)?(?:[/?#][^\s<>"]*)?)/i;

/** Text that Mattermost shows literally: no markup, mentions, hashtags or emoji. URLs in it become links. */
export function escapeMattermost(text: string): string {
  return text
    .split(url)
    .map((part, index) =>
      index % 2 === 1 && URL.canParse(part) ? escapeUrl(part) : escapeWords(part),
    )
    .join("");
}

/** A URL without characters that are markup around or within it. The punctuation after it stays. */
export function escapeUrl(given: string): string {
  const end = /[.,;:!?'")\]}]*$/.exec(given)?.[0] ?? "";
  const start = given.slice(0, given.length - end.length);
  return `${start.replaceAll(/[\\`*{}[\]()|!~$@<>"\s]/g, percentEncode)}${end}`;
}

function percentEncode(character: string): string {
  const bytes = [...Buffer.from(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function escapeWords(text: string): string {
  return withoutMentions(text.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~:$]/g, String.raw`\$&`));
}

/** Mattermost notifies for `@all`, and for names and channels, even within other text. */
function withoutMentions(text: string): string {
  return text.replaceAll(/[@~#]/g, `$&${nothing}`);
}

/** Markdown without mentions and images, and with every URL visible, also in code: clients differ in where code ends. */
export function sanitizeMarkdown(text: string): string {
  return unmaskLinks(text).replaceAll(/[@~](?=[\p{L}\p{N}._-])/gu, `$&${nothing}`);
}

/** Whether a text mentions the bot by its name, and not only everyone. */
export function mentionsBot(text: string, botName: string): boolean {
  return mentionOf(botName).test(text);
}

/** The text of a message without the mention of the bot. */
export function readMattermostText(text: string, botName: string): string {
  return text.replaceAll(mentionOf(botName), "").trim();
}

function mentionOf(botName: string): RegExp {
  const name = botName.replaceAll(/[^\w.-]/g, "").replaceAll(".", String.raw`\.`);
  return new RegExp(`(?<![\\w@])@${name}(?![\\w-])`, "gi");
}
