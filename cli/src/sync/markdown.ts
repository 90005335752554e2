type Change = { folder: string; state: string; lines: readonly string[] };

const maxLines = 400;
const maxCharacters = 50_000;

/**
 * A comment for a pull request. What it quotes can be hostile, so it is in a fence that it cannot close, and mentions of people in
 * it notify no one.
 */
export function toMarkdown(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ["**Toolhost:** no tool changes."];
  const count = changes.length === 1 ? "1 tool" : `${changes.length} tools`;
  let left = maxCharacters;
  const parts = changes.flatMap(({ folder, state, lines }) => {
    const head = `**${folder}**: ${state}`;
    const shown: string[] = [];
    for (const line of lines.slice(0, maxLines)) {
      left -= line.length + 1;
      if (left < 0) break;
      shown.push(line);
    }
    if (shown.length === 0) return [head, ""];
    const longest = Math.max(
      2,
      ...shown.map((line) => Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))),
    );
    const fence = "`".repeat(longest + 1);
    const rest = lines.length - shown.length;
    return [
      head,
      "",
      `${fence}diff`,
      ...shown,
      fence,
      ...(rest > 0 ? [`${rest} more lines.`] : []),
      "",
    ];
  });
  return [`**Toolhost:** a push changes ${count}.`, "", ...parts];
}
