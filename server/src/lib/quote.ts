const maxLength = 64;

/** A name or ID from a request, in backticks for an error message: one line, without backticks, and not too long. */
export function quote(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/gu, "\ufffd");
  return `\`${line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`}\``;
}
