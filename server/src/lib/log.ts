import { isatty } from "node:tty";
import process from "node:process";
import { pino } from "pino";
import type { Logger } from "pino";
import { createLogOutput, openNonBlocking } from "./log-output.ts";
import { prettyLine } from "./pretty-line.ts";

/** The service's own log on standard error: JSON lines, or text for people. Tool data and secrets must not be logged. */
export type Log = Logger;

/** `auto` is `pretty` in a terminal and `json` elsewhere. */
export type LogFormat = "auto" | "json" | "pretty";

type Options = {
  fd?: number;
  format?: LogFormat;
  /** Returns fields to add to each line. */
  fieldsOfLine?: (() => object) | undefined;
  /** Returns whether a line is left out because its error (`err`) is reported in another way. */
  isReported?: (error: unknown) => boolean;
};

export function createLog(
  level: string,
  { fd = 2, format = "json", fieldsOfLine, isReported }: Options = {},
): Log {
  const output = createLogOutput(openNonBlocking(fd), {
    onRecovery: (failure) => log.warn(failure, "the log could not be written for a while"),
  });
  const isTerminal = isatty(fd);
  const isPretty = format === "pretty" || (format === "auto" && isTerminal);
  // NO_COLOR is a convention (no-color.org) for all programs, and no setting of this one.
  const hasColors = isTerminal && !process.env["NO_COLOR"];
  const log = pino(
    {
      level,
      ...(fieldsOfLine === undefined ? {} : { mixin: fieldsOfLine }),
      redact: ["authorization", "cookie", "password", "key", "*.authorization", "*.cookie"],
      hooks: {
        logMethod(args, method) {
          const [fields]: readonly unknown[] = args;
          const hasError = typeof fields === "object" && fields !== null && "err" in fields;
          if (hasError && isReported?.(fields.err) === true) return;
          method.apply(this, args);
        },
      },
    },
    isPretty ? { write: (line) => output.write(prettyLine(line, { hasColors })) } : output,
  );
  return log;
}
