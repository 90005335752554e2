import { ChatError } from "#core/chat";
import { disallowedIntents, reasonOf } from "./close-codes.ts";
import { runConnection } from "./connection.ts";
import type { ConnectionResult } from "./connection.ts";
import { resolveGatewayUrl } from "./resolve-gateway-url.ts";
import { abortableDelay, rejectOnAbort } from "./abortable-delay.ts";
import type { SessionOptions, SessionState } from "./session-options.ts";

/** Consecutive failures to connect before they are reported. */
const maxSilentFailures = 3;
/** After so many failures an event is skipped. */
const maxFailures = 5;

/** Maintains a gateway session until aborted: resumes it where possible, and otherwise starts a new one. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { signal, log, pauses } = options;
  const state: SessionState = {
    position: options.position,
    failures: 0,
    startedAt: -Infinity,
    isWithoutContent: false,
    failing: { sequence: -1, times: 0 },
  };
  while (!signal.aborted) {
    const connectedAt = performance.now();
    let pauseMs: number;
    try {
      const result = await connect(options, state);
      const isStable = result.wasReady && performance.now() - connectedAt > pauses.stableAfterMs;
      if (isStable) state.failures = 0;
      pauseMs = await handleResult(options, state, result);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "could not connect to Discord's gateway");
      if (state.failures >= maxSilentFailures) {
        options.onProblem("Can't connect to Discord's gateway.");
      }
      const askedMs = error instanceof ChatError ? (error.retryAfterMs ?? 0) : 0;
      pauseMs = Math.max(askedMs, nextPauseMs(options, state));
    }
    await abortableDelay(pauseMs, signal);
  }
}

async function connect(options: SessionOptions, state: SessionState): Promise<ConnectionResult> {
  const { token, wanted, signal, log } = options;
  const { url, intents } = await rejectOnAbort(resolveGatewayUrl(options, state), signal);
  return runConnection({
    url,
    token,
    intents,
    wanted,
    signal,
    position: state.position,
    onReady: () => options.onProblem(undefined),
    take: async (event, position) => {
      const { sequence, times } = state.failing;
      if (event.s === sequence && times >= maxFailures) return;
      await options.take(event, position);
    },
    onMove: async (position, isNew) => {
      state.position = position;
      if (isNew) log.info("connected to Discord's gateway");
      await options.onMove(position, isNew);
    },
  });
}

/** Handles the end of a connection and returns how long to pause. */
async function handleResult(
  options: SessionOptions,
  state: SessionState,
  { ended, wasReady, failed }: ConnectionResult,
) {
  const { log, pauses } = options;
  if (failed !== undefined) {
    const { sequence, error } = failed;
    const times = state.failing.sequence === sequence ? state.failing.times + 1 : 1;
    state.failing = { sequence, times };
    log.error({ err: error, times }, "could not handle an event of Discord's gateway");
  }
  if (ended.kind === "resume") {
    log.debug("the connection to Discord's gateway ended; resuming the session");
    if (!wasReady && state.failures >= maxSilentFailures) {
      options.onProblem("Can't connect to Discord's gateway.");
    }
    // A healthy session is resumed almost immediately.
    const isFirst = wasReady && failed === undefined && state.failures === 0;
    const pauseMs = nextPauseMs(options, state);
    return isFirst ? pauseMs / 4 : pauseMs;
  }
  if (ended.kind === "refused" && ended.code === disallowedIntents && !state.isWithoutContent) {
    state.isWithoutContent = true;
    log.warn("Discord does not allow the bot to read message content; it receives only mentions");
    return nextPauseMs(options, state);
  }
  state.position = undefined;
  await options.onMove(undefined, true);
  if (ended.kind === "restart") {
    log.info("a session of Discord's gateway ended; starting a new one");
    // Discord requires a random delay before a new session.
    return nextPauseMs(options, state) + Math.random() * 4 * pauses.firstMs;
  }
  log.error({ code: ended.code }, reasonOf(ended.code));
  options.onProblem(reasonOf(ended.code));
  return pauses.refusedMs;
}

/** Exponential backoff with jitter. */
function nextPauseMs({ pauses }: SessionOptions, state: SessionState): number {
  const pauseMs = Math.min(pauses.firstMs * 2 ** state.failures, pauses.maxMs);
  state.failures += 1;
  return pauseMs * (0.5 + Math.random() / 2);
}
