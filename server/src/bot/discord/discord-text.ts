/** A character that takes no room, to part what would mean something together. */
const nothing = "\u200B";

/** Text that Discord shows as it is: no markup, no link, no call to anybody. */
export function escapeDiscord(text: string): string {
  return text
    .replaceAll(/[\\*_~`|<@[\]]/g, String.raw`\$&`)
    .replaceAll("://", String.raw`\://`)
    .replaceAll(/^(\s*)([#>+-])/gm, String.raw`$1\$2`)
    .replaceAll(/^(\s*\d+)\./gm, String.raw`$1\.`);
}

/** Text in a block of code, which it cannot leave. */
export function codeBlock(text: string): string {
  return `\`\`\`\n${text.replaceAll("```", `\`${nothing}\`${nothing}\``)}\n\`\`\``;
}

/**
 * Markdown without calls, and with every address in sight. Code is left as it is, for Discord reads no markup in it.
 */
export function tameMarkdown(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : tame(part)))
    .join("");
}

function tame(text: string): string {
  return text
    .replaceAll("<", String.raw`\<`)
    .replaceAll("@", `@${nothing}`)
    .replaceAll(/\]\s*\(/g, `]${nothing} (`);
}

/** Shortens without cutting a character in two. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, Math.max(0, length - 1));
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The longest beginning of a text that is not longer than `room` once it is rendered. */
export function fit(text: string, render: (text: string) => string, room: number): string {
  let [fits, tooLong] = [0, Math.min(text.length, room) + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (render(clip(text, middle)).length <= room) fits = middle;
    else tooLong = middle;
  }
  return render(clip(text, fits));
}
