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
