import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";

type Details = {
  /** A stable code, as in responses of the API. */
  code: string;
  exitCode: ExitCode;
  /** What to type or open next. */
  next?: readonly string[];
  /** Further members of the JSON form. */
  extra?: Readonly<Record<string, unknown>>;
  cause?: unknown;
};

/** An expected failure: what happened, in one sentence, and the next command. */
export class CliError extends Error {
  override name = "CliError";
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly next: readonly string[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(message: string, { code, exitCode, next = [], extra = {}, cause }: Details) {
    super(message, { cause });
    this.code = code;
    this.exitCode = exitCode;
    this.next = next;
    this.extra = extra;
  }
}

/** An error in how the command was called, or in a file of the project. */
export function usageError(message: string, ...next: string[]): CliError {
  return new CliError(message, { code: "usage", exitCode: exitCodes.usage, next });
}
