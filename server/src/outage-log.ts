import { explainOutage, isDatabaseError } from "#db";
import { createLog } from "#lib/log";
import type { Log, LogFormat } from "#lib/log";

/** A log in which a database outage takes two lines, however many operations fail because of it. */
export type OutageLog = {
  log: Log;
  /** Reports that the database accepted a write. */
  noteContact: () => void;
};

/** Errors of operations that started before the recovery may arrive until then. */
const quietMs = 2_500;

type Options = {
  level: string;
  format: LogFormat;
  /** Returns fields to add to each line. */
  fieldsOfLine: (() => object) | undefined;
};

/** Creates the log. Errors of the database during an outage are counted instead of logged. */
export function createOutageLog({ level, format, fieldsOfLine }: Options): OutageLog {
  let outage: { startedAt: number; failures: number; lastFailureAt: number } | undefined;
  /** The first contact after the last failure. */
  let contactAt: number | undefined;

  const log = createLog(level, {
    format,
    fieldsOfLine,
    isReported: (error) => {
      const problem = isDatabaseError(error) ? explainOutage(error) : undefined;
      if (problem === undefined) return false;
      const now = performance.now();
      contactAt = undefined;
      if (outage === undefined) {
        outage = { startedAt: now, failures: 0, lastFailureAt: now };
        log.error({ problem, reason: reasonOf(error) }, "the database is unavailable");
      }
      outage.failures += 1;
      outage.lastFailureAt = now;
      return true;
    },
  });
  return {
    log,
    noteContact: () => {
      if (outage === undefined) return;
      const now = performance.now();
      contactAt ??= now;
      if (now - outage.lastFailureAt < quietMs) return;
      const { startedAt, failures } = outage;
      outage = undefined;
      const durationMs = Math.round(contactAt - startedAt);
      log.warn({ durationMs, failures }, "the database is available again");
    },
  };
}

/** The driver's own message, or its code for an error without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
