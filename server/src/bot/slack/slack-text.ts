/** The text of a message in Slack's markup, with names for IDs and plain URLs. */
export function readSlackText(text: string, botUserId: string | undefined): string {
  const withoutMention =
    botUserId === undefined
      ? text.replace(/^\s*<@[A-Z0-9]+>/, "")
      : text.replaceAll(`<@${botUserId}>`, "");
  return withoutMention
    .replaceAll(/<([^<>]{0,3000})>/g, (_, inner: string) => readReference(inner))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function readReference(inner: string): string {
  const [target = "", label] = inner.split("|", 2);
  if (target.startsWith("@")) return `@${label ?? target.slice(1)}`;
  if (target.startsWith("#")) return `#${label ?? target.slice(1)}`;
  if (target.startsWith("!")) return label ?? `@${target.slice(1)}`;
  if (target.startsWith("mailto:")) return target.slice("mailto:".length);
  return target;
}

/** Text that Slack shows literally where it reads markup. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
