/**
 * Explains to an operator why the database is unavailable; undefined for errors that are no outage. Follows the chain
 * of causes, because libraries wrap the errors that they receive.
 */
export function explainOutage(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (diskFull.has(code)) return "The disk of the database is full.";
    if (code.startsWith("SQLITE_BUSY")) return "The database file is locked by another program.";
    if (code.startsWith("SQLITE_IOERR") || brokenFile.has(code)) {
      return "The database file cannot be read or written.";
    }
    if (code === "53300") return "The database accepts no more connections.";
    if (code === "25006") return "The database is read-only.";
    // PostgreSQL's class 08 and its codes 57P0x: broken connections, and a server that starts or stops.
    if (/^(?:08|57P0)/.test(code) || brokenConnection.has(code)) return away;
    if (brokenMessage.test(cause.message)) return away;
  }
  return undefined;
}

const marked = new WeakSet<Error>();

/** Marks what a driver threw as an error of the database: the codes of broken connections are those of any connection. */
export function markDatabaseError<T>(error: T): T {
  if (error instanceof Error) marked.add(error);
  return error;
}

/** Waits for work of a driver, and marks what it throws. */
export async function marking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw markDatabaseError(error);
  }
}

/** Whether the database threw an error or its cause. */
export function isDatabaseError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (marked.has(cause)) return true;
    if ("code" in cause && String(cause.code).startsWith("SQLITE_")) return true;
  }
  return false;
}

/** Whether a statement failed because it would have stored null in a column that does not allow it. */
export function isNullError(
  error: unknown,
  { table, column }: { table: string; column: string },
): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "SQLITE_CONSTRAINT_NOTNULL")
    return error.message.endsWith(`${table}.${column}`);
  // PostgreSQL's not_null_violation.
  const isNull = error.code === "23502" && "table" in error && "column" in error;
  return isNull && error.table === table && error.column === column;
}

/** Whether a statement failed on PostgreSQL because a table has a row with the same unique value. */
export function isDuplicate(error: unknown, table: string): boolean {
  // PostgreSQL's unique_violation.
  if (!(error instanceof Error) || !("code" in error) || error.code !== "23505") return false;
  return "table" in error && error.table === table;
}

const away = "The database is not responding.";
const diskFull = new Set(["SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"]);
const brokenFile = new Set(["SQLITE_READONLY", "SQLITE_CANTOPEN", "EIO"]);
const brokenConnection = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
]);
// The PostgreSQL driver gives these errors no code.
const brokenMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;
