/** A problem that the operator can fix. The message is one line for them, without secrets. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

const diskFull = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);
const forbidden = new Set(["EACCES", "EPERM", "EROFS"]);

/** Whether an error says that there is no space on the disk. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && diskFull.has(String(error.code));
}

/** What a command prints when it fails: one line if the operator can fix it, otherwise the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (isDiskFull(error)) return "The disk is full. Free some space and run the command again.";
  if (error instanceof Error && "code" in error) {
    const code = String(error.code);
    if (forbidden.has(code)) return `Permission denied: ${error.message}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
