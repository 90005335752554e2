import type { ChatContext } from "./context.ts";
import type { InboxJob, JobState } from "./event.ts";
import { updateClaimed } from "./inbox-store.ts";
import type { ClaimedJob } from "./inbox-store.ts";
import { leaseEnd, LostLeaseError } from "./job-lease.ts";

/** What earlier attempts of a job stored for this one. */
export function readJobState({ payload }: Pick<ClaimedJob, "payload">): JobState {
  const { sealedAnswer, unpostedAttempt, stoppingRunIds } = JSON.parse(payload) as InboxJob;
  return { sealedAnswer, unpostedAttempt, stoppingRunIds };
}

/** The jobs that a message "stop" ends. */
export function readStoppedJobIds({ payload }: Pick<ClaimedJob, "payload">): readonly string[] {
  const job = JSON.parse(payload) as InboxJob;
  return job.kind === "message" ? (job.stoppedJobIds ?? []) : [];
}

/** Stores something for later attempts of a job, and extends its lease. Throws `LostLeaseError`. */
export async function storeJobState(
  context: ChatContext,
  job: ClaimedJob,
  change: JobState,
): Promise<void> {
  const payload = JSON.stringify({ ...(JSON.parse(job.payload) as InboxJob), ...change });
  const query = updateClaimed(context.db, job, { payload, lease_until: leaseEnd(context) });
  if (!(await context.db.transact([{ query, mustChange: true }]))) {
    throw new LostLeaseError("Another attempt has claimed the job");
  }
  job.payload = payload;
}
