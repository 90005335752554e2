import type { Dispatch } from "./frame.ts";
import { createSerialQueue } from "./serial-queue.ts";
import { readReady } from "./position.ts";
import type { Position } from "./position.ts";

/** Beyond this many queued events the connection ends; Discord replays the rest when the session resumes. */
const maxWaiting = 5_000;

export type CursorOptions = {
  /** The session to resume; undefined for a new one. */
  position: Position | undefined;
  /** The events that are handled; others only advance the cursor. */
  wanted: ReadonlySet<string>;
  /** Handles an event. Discord replays the event when this throws, and not once it has returned. */
  take: (event: Dispatch, position: Position) => Promise<void>;
  /** Stores the position, immediately for a new session. */
  onMove: (position: Position, isNew: boolean) => Promise<void>;
};

/** An event that could not be handled. */
export type FailedEvent = { sequence: number; error: unknown };

/** Handles the events of a session in order and tracks the last one that is handled: inbox first, then sequence. */
export type EventCursor = {
  push(event: Dispatch): void;
  /** Drops queued events. */
  drop(): void;
  /** Resolves when all queued events are handled. */
  end(): Promise<FailedEvent | undefined>;
};

/** `onReady` is called when the session is ready or resumed, `onBroken` when an event failed or too many are queued. */
export function createEventCursor(
  { position: initial, wanted, take, onMove }: CursorOptions,
  { onReady, onBroken }: { onReady: () => void; onBroken: () => void },
): EventCursor {
  let position = initial;
  let failed: FailedEvent | undefined;
  const queue = createSerialQueue(onBroken);
  const moveTo = async (next: Position, isNew: boolean) => {
    position = next;
    await onMove(next, isNew);
  };
  const handle = async (event: Dispatch) => {
    if (event.t === "READY") {
      const ready = readReady(event.d, event.s);
      if (ready === undefined) throw new Error("Discord sent READY without a session");
      await moveTo(ready, true);
      onReady();
    } else if (position !== undefined) {
      if (event.t === "RESUMED") onReady();
      if (wanted.has(event.t)) await take(event, position);
      await moveTo({ ...position, sequence: event.s }, false);
    }
  };
  return {
    push: (event) => {
      // The data of unused events would take memory while they are queued.
      const isUsed = event.t === "READY" || wanted.has(event.t);
      const queued = isUsed ? event : { ...event, d: undefined };
      queue.push(async () => {
        try {
          await handle(queued);
        } catch (error) {
          failed = { sequence: event.s, error };
          throw error;
        }
      });
      if (queue.length() > maxWaiting) onBroken();
    },
    drop: () => queue.stop(),
    end: async () => {
      await queue.end();
      return failed;
    },
  };
}
