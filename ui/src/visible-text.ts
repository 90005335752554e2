/** Characters that are not visible, or that change the order of others. Joiners are left, since emoji and scripts need them. */
const invisible =
  /(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?!\t)\p{Cc}|[\u115F\u1160\u3164\uFFA0]/gu;

/** A text for a review: what a reader could not see is shown as its code point, such as `\u{202e}`. */
export function toVisibleText(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Escape sequences of a terminal: links and titles (OSC), then styles and movements (CSI). ECMA-48, sections 5.4 and 5.6. */
const escapeSequences =
  // oxlint-disable-next-line no-control-regex -- these are what it finds
  /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B\[[0-?]*[ -/]*[@-~]/g;

/** A log line or error of a tool: without the colors that it meant for a terminal, and with invisible characters as code points. */
export function toPlainText(text: string): string {
  const lines = text.replaceAll(escapeSequences, "").split(/\r?\n/);
  return lines.map((line) => toVisibleText(line)).join("\n");
}
