import type { Log } from "#lib/log";
import type { CallDiscord } from "../discord-call.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { Position } from "./position.ts";

/** Pauses between connections, in milliseconds. */
export type Pauses = {
  /** After the first failure; doubled after each further one. */
  firstMs: number;
  maxMs: number;
  /** Between new sessions: Discord allows one in five seconds. */
  betweenSessionsMs: number;
  /** After a refusal that only the operator can fix. */
  refusedMs: number;
  /** A connection of this length resets the failure count. */
  stableAfterMs: number;
};

export const defaultPauses: Pauses = {
  firstMs: 1_000,
  maxMs: 120_000,
  betweenSessionsMs: 5_500,
  refusedMs: 900_000,
  stableAfterMs: 60_000,
};

export type SessionOptions = Pick<ConnectionOptions, "token" | "wanted" | "take" | "signal"> & {
  apiUrl: string;
  call: CallDiscord;
  log: Log;
  pauses: Pauses;
  position: Position | undefined;
  /** Stores the position; undefined when the session can no longer be resumed. */
  onMove: (position: Position | undefined, isNew: boolean) => Promise<void>;
  /** Reports why no events arrive; undefined when they do. */
  onProblem: (problem: string | undefined) => void;
};

export type SessionState = {
  position: Position | undefined;
  /** Consecutive failures to connect. */
  failures: number;
  /** When a session was last started. */
  startedAt: number;
  /** Discord refused the message content intent although the application has its flag. */
  isWithoutContent: boolean;
  failing: { sequence: number; times: number };
};
