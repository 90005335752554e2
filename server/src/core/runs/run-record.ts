import type { NewRun, RunKey } from "./new-run.ts";

/** The row of a run that this process executes. */
export type RunRecord = {
  /** Resolves once the row is in the database, and writes it first if it is not. Rejects if it cannot be written. */
  ensure(): Promise<void>;
  /**
   * Calls `write` to write the row together with the run's end, and returns what it returns. Undefined if the row is written
   * already, or just now.
   */
  writeWithEnd<T>(write: (unwritten: UnwrittenRun) => Promise<T>): Promise<T | undefined>;
};

/** The row of a run that is not in the database, and its Idempotency-Key. */
export type UnwrittenRun = { row: NewRun; key: RunKey | undefined };

/** The record of a run that was written before it executes. */
export const writtenRecord: RunRecord = {
  ensure: () => Promise.resolve(),
  writeWithEnd: () => Promise.resolve(undefined),
};

/** Longer than most short tools take on a busy machine. No caller knows the ID of a run before it is written. */
const maxDelayMs = 100;

/**
 * The record of a run that is written when it must be: before its code sends a request, before anybody learns its ID, after
 * {@link maxDelayMs}, or with its end. So a short run costs one commit. `onFailure` is called if the row cannot be written
 * while the run executes.
 */
export function delayRecord(
  unwritten: UnwrittenRun,
  write: () => Promise<void>,
  onFailure: () => void,
): RunRecord {
  let writing: Promise<void> | undefined;
  const ensure = () => {
    if (writing === undefined) {
      clearTimeout(timer);
      writing = write();
      writing.catch(onFailure);
    }
    return writing;
  };
  const timer = setTimeout(() => void ensure(), maxDelayMs);
  return {
    ensure,
    writeWithEnd: async (writeBoth) => {
      if (writing !== undefined) return undefined;
      clearTimeout(timer);
      const both = writeBoth(unwritten);
      writing = both.then(() => undefined);
      await writing;
      return both;
    },
  };
}
