/** Longer messages are shortened. */
const maxMessage = 4_000;

/**
 * What a tool asks. The message is the tool's, so each of its lines is marked: none can look like a line of this program, such as
 * the address at which to answer.
 */
export function questionText(toolName: string, message: string): string {
  const lines = message.slice(0, maxMessage).split(/\r\n|[\r\n]/);
  return [`The tool ${toolName} asks:`, ...lines.map((line) => `  │ ${line}`)].join("\n");
}
