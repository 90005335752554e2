/** A problem that the operator can fix. The message is one line for them, without secrets. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** What a command prints when it fails: one line if the operator can fix it, otherwise the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
