/** The variable in place of an API key, as in the documentation of a tool. */
export const keyVariable = "TOOLHOST_API_KEY";

/** A shell expression for a new Idempotency-Key, so that each paste sends a separate request. */
export const newIdExpression = `$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)`;

/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A shell command in several lines. */
export function continueLines(parts: readonly string[]): string {
  return parts.join(" \\\n  ");
}
