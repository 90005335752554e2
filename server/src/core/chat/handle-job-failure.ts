import type { ChatProblemKind } from "@toolhost/contract";
import type { ChatContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { explainOutage } from "#db";
import type { ChatConnectionTable, ChatInboxTable } from "#db";
import { finishSoon } from "./acknowledge.ts";
import { markBroken } from "./mark-broken.ts";
import { ChatError, isRateLimited } from "./chat-error.ts";
import type { InboxJob } from "./event.ts";
import { LostLeaseError } from "./job-lease.ts";
import { updateClaimed } from "./inbox-store.ts";
import { openTransport } from "./open-transport.ts";
import { ephemeralTargetOf, hintOf, readJob } from "./read-job.ts";
import { messages } from "./messages.ts";

/** The pause after each failed attempt; after the last one the job is a dead letter. */
const pausesMs = [1_000, 4_000, 15_000, 60_000, 240_000, 900_000];
/** How long a job may wait for rate limits. */
const maxLimitedMs = 3_600_000;
/** The maximum number of attempts after unexpected errors. */
const maxUnforeseen = 3;

type Failed = {
  claimed: ChatInboxTable;
  connection: ChatConnectionTable | undefined;
  error: unknown;
  /** The service is shutting down, so the attempt does not count. */
  isStopping: boolean;
};

/** Schedules a retry of a failed job, or marks it as a dead letter where a retry is pointless. */
export async function handleJobFailure(context: ChatContext, failed: Failed): Promise<void> {
  const { claimed, connection, error } = failed;
  const { db, clock, log } = context;
  if (error instanceof LostLeaseError) return;
  const described = describe(error);
  if (failed.isStopping) {
    const uncounted_attempts = claimed.uncounted_attempts + 1;
    const back = { status: "queued", node_id: "", lease_until: null, uncounted_attempts };
    await db.transact([updateClaimed(db, claimed, back)]);
    return;
  }
  const isYoung = clock.now() - claimed.created_at < maxLimitedMs;
  // The platform did nothing, so this was no attempt.
  const isUncounted = isYoung && isRateLimited(error);
  const waitMs = isUncounted ? error.retryAfterMs : nextPauseMs(attemptsOf(claimed), error);
  log[waitMs === undefined ? "warn" : "debug"](
    { err: error, job: claimed.id, attempt: claimed.attempt },
    waitMs === undefined ? "chat job moved to dead letters" : "chat job will be retried",
  );
  const change =
    waitMs === undefined
      ? { status: "dead", finished_at: clock.now() }
      : {
          status: "queued",
          run_after: clock.now() + waitMs,
          uncounted_attempts: claimed.uncounted_attempts + (isUncounted ? 1 : 0),
        };
  const rest = { node_id: "", lease_until: null, ...described };
  await db.transact([updateClaimed(db, claimed, { ...change, ...rest })]);
  if (connection === undefined || waitMs !== undefined) return;
  if (error instanceof ChatError && error.failure === "revoked") {
    await markBroken(context, connection, error.message);
    return;
  }
  await reportFailure(context, claimed, connection);
}

type Attempts = Pick<ChatInboxTable, "attempt" | "uncounted_attempts">;

function attemptsOf({ attempt, uncounted_attempts: uncounted }: Attempts): number {
  return attempt - uncounted;
}

/** Whether every attempt ended with the death of its process. */
export function isHopeless(claimed: Attempts): boolean {
  return attemptsOf(claimed) > pausesMs.length + 1;
}

/** Undefined when a retry is pointless. */
function nextPauseMs(attempt: number, error: unknown): number | undefined {
  const pauseMs = pausesMs[attempt - 1];
  if (pauseMs === undefined) return undefined;
  if (error instanceof ChatError) {
    return error.failure === "later" ? Math.max(pauseMs, error.retryAfterMs ?? 0) : undefined;
  }
  const isExpected = error instanceof ServiceError || explainOutage(error) !== undefined;
  return isExpected || attempt < maxUnforeseen ? pauseMs : undefined;
}

/** The problem as admins see it, without anything that a person, tool or platform wrote. */
function describe(error: unknown): { problem: string; problem_kind: ChatProblemKind } {
  if (error instanceof ChatError) {
    return { problem: error.message.slice(0, 300), problem_kind: error.kind };
  }
  if (error instanceof ServiceError) return { problem: error.code, problem_kind: "service" };
  const outage = explainOutage(error);
  return outage === undefined
    ? { problem: "internal", problem_kind: "internal" }
    : { problem: outage, problem_kind: "outage" };
}

/** Notifies the user that no answer will follow. */
async function reportFailure(
  context: ChatContext,
  claimed: ChatInboxTable,
  connection: ChatConnectionTable,
): Promise<void> {
  try {
    const asked = JSON.parse(claimed.payload) as InboxJob;
    if (asked.kind === "departure" || asked.kind === "home") return;
    const read = readJob(context, asked);
    const text = messages.jobFailed(claimed.id);
    const transport = openTransport(context, connection, hintOf(context, claimed.id, asked));
    if (asked.kind === "message") {
      finishSoon(context, transport, { message: asked.message, outcome: "failed" });
    }
    await transport.postEphemeral(ephemeralTargetOf(read), read.chatUserId, [
      { kind: "text", text },
    ]);
  } catch (error) {
    context.log.debug(
      { err: error, job: claimed.id },
      "a failure could not be reported in the chat",
    );
  }
}
