import { unmaskLinks } from "#core/chat";
import { nothing } from "../code-block.ts";

/** Text that Mattermost shows literally: no markup, mentions, hashtags or emoji. URLs in it become links. */
export function escapeMattermost(text: string): string {
  return text
    .split(/(\bhttps?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      // Mattermost also finds mentions, code and cells in URLs.
      index % 2 === 1 ? part.replaceAll(/[@`|]/g, encodeURIComponent) : escapeWords(part),
    )
    .join("");
}

function escapeWords(text: string): string {
  return withoutMentions(text.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~:$]/g, String.raw`\$&`));
}

/** Mattermost notifies for `@all`, and for names and channels, even within other text. */
function withoutMentions(text: string): string {
  return text.replaceAll(/[@~#]/g, `$&${nothing}`);
}

/** Markdown without mentions and images, and with every URL visible. */
export function sanitizeMarkdown(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : unmaskLinks(part).replaceAll(/[@~]/g, `$&${nothing}`),
    )
    .join("");
}

/** The text of a message without the mention of the bot. */
export function readMattermostText(text: string, botName: string): string {
  const name = botName.replaceAll(/[^\w.-]/g, "").replaceAll(".", String.raw`\.`);
  return text.replaceAll(new RegExp(`(?<![\\w@])@${name}(?![\\w-])`, "gi"), "").trim();
}
