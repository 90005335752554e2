import { destination, pino } from "pino";
import type { Logger } from "pino";

/** The service's own log: JSON lines on standard error. Tool data and secrets must not be logged. */
export type Log = Logger;

export function createLog(level: string): Log {
  return pino(
    {
      level,
      redact: ["authorization", "cookie", "password", "key", "*.authorization", "*.cookie"],
    },
    destination({ dest: 2, sync: true }),
  );
}
