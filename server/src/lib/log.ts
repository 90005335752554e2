import { destination, pino } from "pino";
import type { Logger } from "pino";

/** The service's own log: JSON lines on standard error. Tool data and secrets must not be logged. */
export type Log = Logger;

/** `fieldsOfLine` returns fields to add to each line. */
export function createLog(level: string, fieldsOfLine?: () => object): Log {
  return pino(
    {
      level,
      ...(fieldsOfLine === undefined ? {} : { mixin: fieldsOfLine }),
      redact: ["authorization", "cookie", "password", "key", "*.authorization", "*.cookie"],
    },
    destination({ dest: 2, sync: true }),
  );
}
