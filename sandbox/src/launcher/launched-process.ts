import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { ExitStatus } from "./messages.ts";

/** A process that the launcher has started. */
export class LaunchedProcess {
  readonly pid: number;
  /**
   * Streams to the process by descriptor; undefined for a descriptor that is not a stream. One that nothing reads when the
   * process has exited loses its data.
   */
  readonly streams: readonly (Socket | undefined)[];
  /** Settles when the process has exited and its streams have ended. */
  readonly closed: Promise<ExitStatus>;
  readonly #kill: () => void;
  #status: ExitStatus | undefined;

  constructor(
    pid: number,
    streams: readonly (Socket | undefined)[],
    exited: Promise<ExitStatus>,
    kill: () => void,
  ) {
    this.pid = pid;
    this.streams = streams;
    this.#kill = kill;
    const ends = streams.flatMap((stream) => (stream === undefined ? [] : [ended(stream)]));
    this.closed = exited.then(async (status) => {
      this.#status = status;
      streams[0]?.destroy();
      // A stream ends only when its data is read. Who awaits the start has added their listeners by the next turn.
      await setImmediate();
      for (const stream of streams) if (stream?.readableFlowing === null) stream.resume();
      await Promise.all(ends);
      return status;
    });
  }

  get hasExited(): boolean {
    return this.#status !== undefined;
  }

  /** Sends SIGKILL to the process, or to its group if it has one. */
  kill(): void {
    if (!this.hasExited) this.#kill();
  }
}

function ended(stream: Socket): Promise<void> {
  // A broken stream ends as well, and the exit of the process explains more.
  stream.on("error", () => {});
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once("close", () => resolve());
  });
}
