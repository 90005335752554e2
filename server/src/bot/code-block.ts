/** A zero-width space, which breaks up markup. */
export const nothing = "\u200B";

/** Text in a code block that it cannot close. */
export function codeBlock(text: string): string {
  return `\`\`\`\n${text.replaceAll("```", `\`${nothing}\`${nothing}\``)}\n\`\`\``;
}
