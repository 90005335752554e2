import { constants, fstatSync, openSync, writeSync } from "node:fs";

/** A period in which the output accepted no more lines. */
export type OutputFailure = {
  /** The last system error, such as `ENOSPC`. */
  code: string;
  failedWrites: number;
  /** Lines that were discarded because too many waited. */
  droppedLines: number;
  durationMs: number;
};

type Options = {
  maxWaitingBytes?: number;
  retryMs?: number;
  /** Called once after each failure, when all waiting lines are written. */
  onRecovery: (failure: OutputFailure) => void;
};

/**
 * A file descriptor for the same pipe on which writes never block, so that a reader that stops does not stop the service.
 * The flag of the given one is shared with every process that inherits it, such as a compiler that clears it. Returns the
 * given one if it is no pipe, or if this process may not open it again.
 */
export function openNonBlocking(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

/** A destination of the log. */
export type LogOutput = {
  write(line: string): void;
  /** Drops the lines that wait. Must be called before the descriptor is closed, whose number another file may get. */
  close(): void;
};

/**
 * Writes lines to a file descriptor before `write` returns. Never throws: while a disk is full, or a pipe is full or
 * closed, lines wait up to a limit and further ones are dropped.
 */
export function createLogOutput(
  fd: number,
  { maxWaitingBytes = 262_144, retryMs = 500, onRecovery }: Options,
): LogOutput {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let failure: { code: string; failedWrites: number; droppedLines: number } | undefined;
  let failedAt = 0;
  let retry: NodeJS.Timeout | undefined;

  const fail = (error: unknown) => {
    if (failure === undefined) {
      failure = { code: "", failedWrites: 0, droppedLines: 0 };
      failedAt = performance.now();
      retry = setInterval(flush, retryMs).unref();
    }
    failure.code = error instanceof Error && "code" in error ? String(error.code) : "";
    failure.failedWrites += 1;
  };
  const recover = () => {
    if (failure === undefined) return;
    const report = { ...failure, durationMs: Math.round(performance.now() - failedAt) };
    failure = undefined;
    clearInterval(retry);
    onRecovery(report);
  };
  function flush(): void {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        const written = writeSync(fd, next);
        waitingBytes -= written;
        // The rest of a line is written first, so that lines stay whole.
        if (written < next.length) waiting[0] = next.subarray(written);
        else waiting.shift();
      } catch (error) {
        fail(error);
        return;
      }
    }
    recover();
  }
  let isClosed = false;
  return {
    close: () => {
      isClosed = true;
      clearInterval(retry);
      waiting.length = 0;
    },
    write: (line) => {
      if (isClosed) return;
      const bytes = Buffer.from(line);
      if (failure !== undefined && waitingBytes + bytes.length > maxWaitingBytes) {
        failure.droppedLines += 1;
      } else {
        waiting.push(bytes);
        waitingBytes += bytes.length;
      }
      flush();
    },
  };
}
