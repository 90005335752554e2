import type { LogLine, RunResult } from "@toolhost/client";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import type { Style } from "../terminal/text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { command } from "../terminal/shell-command.ts";

/** Prints the end of a run, and returns the exit code for it. */
export function showOutput(terminal: Terminal, run: RunResult): ExitCode {
  const { status, output, error, runId } = run;
  if (status === "completed") {
    terminal.result(run, () => JSON.stringify(output ?? {}, null, 2));
    terminal.note(styled("dim", `Run ${runId} completed`));
    return exitCodes.ok;
  }
  terminal.result(run, () => []);
  const reason = error === undefined ? "" : ` (${error.code}): ${error.message}`;
  terminal.note(`${styled("red", `Run ${runId} ${status}`)}${reason}`);
  if (error?.stack !== undefined) terminal.note(styled("dim", error.stack));
  terminal.note(`  ${styled("cyan", "→")} ${command`toolhost logs ${runId}`}`);
  return exitCodes.failed;
}

const levelStyles: Readonly<Record<LogLine["level"], Style | undefined>> = {
  debug: "dim",
  info: undefined,
  warn: "yellow",
  error: "red",
};

/** Prints a line of a log as a result, or beside one. */
export function showLogLine(terminal: Terminal, line: LogLine, kind: "part" | "note"): void {
  const { at, level, message } = line;
  const style = levelStyles[level];
  const text = `${styled("dim", at.slice(11, 23))} ${style === undefined ? message : styled(style, message)}`;
  if (kind === "part") terminal.part(line, () => text);
  else terminal.note(text);
}
