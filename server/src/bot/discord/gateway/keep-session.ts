import { ChatError } from "#core/chat";
import type { Log } from "#lib/log";
import type { CallDiscord } from "../discord-call.ts";
import { disallowedIntents, reasonOf } from "./close-codes.ts";
import { liveWithConnection } from "./connection.ts";
import type { Connecting, Lived } from "./connection.ts";
import { findWay } from "./find-way.ts";
import type { Position } from "./position.ts";
import { rest, untilStopped } from "./rest.ts";

/** How long is paused, in milliseconds. */
export type Pauses = {
  /** After the first failure in a row; twice as long after each other. */
  firstMs: number;
  maxMs: number;
  /** Between two new sessions: Discord takes one in five seconds. */
  betweenSessionsMs: number;
  /** After a refusal that only the operator can do something about. */
  refusedMs: number;
  /** A connection that lived so long was a good one. */
  goodAfterMs: number;
};

export const usualPauses: Pauses = {
  firstMs: 1_000,
  maxMs: 120_000,
  betweenSessionsMs: 5_500,
  refusedMs: 900_000,
  goodAfterMs: 60_000,
};

export type Keeping = Pick<Connecting, "token" | "wanted" | "take" | "signal"> & {
  apiUrl: string;
  call: CallDiscord;
  log: Log;
  pauses: Pauses;
  position: Position | undefined;
  /** Takes note of how far we came; undefined: a session has ended for good. */
  onMove: (position: Position | undefined, isNew: boolean) => Promise<void>;
  /** Takes note of why nothing is heard now; undefined: all is well. */
  onProblem: (problem: string | undefined) => void;
};

/** How often in a row it may fail to connect before people are told. */
const maxSilentFailures = 3;
/** How often an event of ours may fail before it is left out. */
const maxFailures = 5;

/** Keeps one session of the gateway until told to stop: goes on with it where that can be, and begins anew where not. */
export async function keepSession(keeping: Keeping): Promise<void> {
  const { signal, log, pauses } = keeping;
  const state: State = {
    position: keeping.position,
    failures: 0,
    begunAt: -Infinity,
    isWithoutContent: false,
    failing: { sequence: -1, times: 0 },
  };
  while (!signal.aborted) {
    const connectedAt = performance.now();
    let pauseMs: number;
    try {
      const lived = await live(keeping, state);
      const isGood = lived.wasReady && performance.now() - connectedAt > pauses.goodAfterMs;
      if (isGood) state.failures = 0;
      pauseMs = await settle(keeping, state, lived);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "Discord's gateway could not be reached");
      if (state.failures >= maxSilentFailures) {
        keeping.onProblem("Discord's gateway cannot be reached.");
      }
      const askedMs = error instanceof ChatError ? (error.retryAfterMs ?? 0) : 0;
      pauseMs = Math.max(askedMs, nextPauseMs(keeping, state));
    }
    await rest(pauseMs, signal);
  }
}

export type State = {
  position: Position | undefined;
  /** In a row. */
  failures: number;
  /** When a session was last asked for. */
  begunAt: number;
  /** Discord does not allow what it said it would. */
  isWithoutContent: boolean;
  failing: { sequence: number; times: number };
};

async function live(keeping: Keeping, state: State): Promise<Lived> {
  const { token, wanted, signal, log } = keeping;
  const { url, intents } = await untilStopped(findWay(keeping, state), signal);
  return liveWithConnection({
    url,
    token,
    intents,
    wanted,
    signal,
    position: state.position,
    onReady: () => keeping.onProblem(undefined),
    take: async (event, position) => {
      const { sequence, times } = state.failing;
      if (event.s === sequence && times >= maxFailures) return;
      await keeping.take(event, position);
    },
    onMove: async (position, isNew) => {
      state.position = position;
      if (isNew) log.info("connected to Discord's gateway");
      await keeping.onMove(position, isNew);
    },
  });
}

/** Does what follows from the end of a connection, and answers how long to pause. */
async function settle(keeping: Keeping, state: State, { ended, wasReady, failed }: Lived) {
  const { log, pauses } = keeping;
  if (failed !== undefined) {
    const { sequence, error } = failed;
    const times = state.failing.sequence === sequence ? state.failing.times + 1 : 1;
    state.failing = { sequence, times };
    log.error({ err: error, times }, "an event of Discord's gateway could not be taken");
  }
  if (ended.kind === "again") {
    log.debug("the connection to Discord's gateway has ended; it goes on");
    if (!wasReady && state.failures >= maxSilentFailures) {
      keeping.onProblem("Discord's gateway cannot be reached.");
    }
    // What was well until now is gone on with at once.
    const isFirst = wasReady && failed === undefined && state.failures === 0;
    const pauseMs = nextPauseMs(keeping, state);
    return isFirst ? pauseMs / 4 : pauseMs;
  }
  if (ended.kind === "refused" && ended.code === disallowedIntents && !state.isWithoutContent) {
    state.isWithoutContent = true;
    log.warn("Discord does not allow the bot to read all messages; it is told of mentions alone");
    return nextPauseMs(keeping, state);
  }
  state.position = undefined;
  await keeping.onMove(undefined, true);
  if (ended.kind === "anew") {
    log.info("a session of Discord's gateway has ended; another begins");
    // As Discord wants it: not all at once.
    return nextPauseMs(keeping, state) + Math.random() * 4 * pauses.firstMs;
  }
  log.error({ code: ended.code }, reasonOf(ended.code));
  keeping.onProblem(reasonOf(ended.code));
  return pauses.refusedMs;
}

/** Twice as long each time, and never the same for two. */
function nextPauseMs({ pauses }: Keeping, state: State): number {
  const pauseMs = Math.min(pauses.firstMs * 2 ** state.failures, pauses.maxMs);
  state.failures += 1;
  return pauseMs * (0.5 + Math.random() / 2);
}
