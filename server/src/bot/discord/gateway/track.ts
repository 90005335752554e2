import type { Dispatch } from "./frame.ts";
import { createLine } from "./line.ts";
import { readReady } from "./position.ts";
import type { Position } from "./position.ts";

/** What came and was not done with; the rest comes again when the session is gone on with. */
const maxWaiting = 5_000;

export type Tracking = {
  /** The session to go on with; undefined: a new one begins. */
  position: Position | undefined;
  /** Kinds of events that are handed on. */
  wanted: ReadonlySet<string>;
  /** Does what an event asks for. Once it is done, the event will not come again; when it throws, it does. */
  take: (event: Dispatch, position: Position) => Promise<void>;
  /** Takes note of how far the session came, at once when it is a new one. */
  onMove: (position: Position, isNew: boolean) => Promise<void>;
};

/** What went wrong with an event. */
export type Failed = { sequence: number; error: unknown };

/** The events of a session: what they ask for is done in their order, and how far that came is known. */
export type Track = {
  hear(event: Dispatch): void;
  /** Does nothing of what waits any more. */
  drop(): void;
  /** Until all that was heard is done with. */
  end(): Promise<Failed | undefined>;
};

/** `onReady` is called once Discord has let us in, `onBroken` when something failed or too much waits. */
export function createTrack(
  { position: begun, wanted, take, onMove }: Tracking,
  { onReady, onBroken }: { onReady: () => void; onBroken: () => void },
): Track {
  let position = begun;
  let failed: Failed | undefined;
  const line = createLine(onBroken);
  const moveTo = async (next: Position, isNew: boolean) => {
    position = next;
    await onMove(next, isNew);
  };
  const work = async (event: Dispatch) => {
    if (event.t === "READY") {
      const ready = readReady(event.d, event.s);
      if (ready === undefined) throw new Error("Discord began a session without saying which");
      await moveTo(ready, true);
      onReady();
    } else if (position !== undefined) {
      if (event.t === "RESUMED") onReady();
      if (wanted.has(event.t)) await take(event, position);
      await moveTo({ ...position, sequence: event.s }, false);
    }
  };
  return {
    hear: (event) => {
      // Much is told that we have no use for, and that would take room while it waits.
      const isOfUse = event.t === "READY" || wanted.has(event.t);
      const kept = isOfUse ? event : { ...event, d: undefined };
      line.push(async () => {
        try {
          await work(kept);
        } catch (error) {
          failed = { sequence: event.s, error };
          throw error;
        }
      });
      if (line.length() > maxWaiting) onBroken();
    },
    drop: () => line.stop(),
    end: async () => {
      await line.end();
      return failed;
    },
  };
}
