import { nothing } from "../code-block.ts";

/** Text that Discord shows literally: no markup, links or mentions. */
export function escapeDiscord(text: string): string {
  return text
    .replaceAll(/[\\*_~`|<@[\]]/g, String.raw`\$&`)
    .replaceAll("://", String.raw`\://`)
    .replaceAll(/^(\s*)([#>+-])/gm, String.raw`$1\$2`)
    .replaceAll(/^(\s*\d+)\./gm, String.raw`$1\.`);
}

/** Markdown without mentions, and with every URL visible. Code is unchanged, because Discord reads no markup in it. */
export function sanitizeMarkdown(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : sanitize(part)))
    .join("");
}

function sanitize(text: string): string {
  return text
    .replaceAll("<", String.raw`\<`)
    .replaceAll("@", `@${nothing}`)
    .replaceAll(/\]\s*\(/g, `]${nothing} (`);
}

/** Shortens a text without splitting a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, Math.max(0, length - 1));
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The longest start of a text that is at most `room` long when rendered. */
export function fit(text: string, render: (text: string) => string, room: number): string {
  let [fits, tooLong] = [0, Math.min(text.length, room) + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (render(clip(text, middle)).length <= room) fits = middle;
    else tooLong = middle;
  }
  return render(clip(text, fits));
}
