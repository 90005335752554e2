import { pino } from "pino";
import type { Logger } from "pino";
import { createLogOutput, openNonBlocking } from "./log-output.ts";

/** The service's own log: JSON lines on standard error. Tool data and secrets must not be logged. */
export type Log = Logger;

type Options = {
  fd?: number;
  /** Returns fields to add to each line. */
  fieldsOfLine?: (() => object) | undefined;
  /** Returns whether a line is left out because its error (`err`) is reported in another way. */
  isReported?: (error: unknown) => boolean;
};

export function createLog(level: string, { fd = 2, fieldsOfLine, isReported }: Options = {}): Log {
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
    createLogOutput(openNonBlocking(fd), {
      onRecovery: (failure) => log.warn(failure, "the log could not be written for a while"),
    }),
  );
  return log;
}
