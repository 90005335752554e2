import type { ChatContext } from "./context.ts";
import { deliverCompletions } from "./deliver-completions.ts";
import { deleteOldDeliveries } from "./delivery-store.ts";
import { processJob } from "./process-job.ts";
import { leaseEnd, renewEveryMs } from "./job-lease.ts";
import {
  claimJob,
  deleteFinished,
  forgetUnlinked,
  renewLeases,
  requeueLapsed,
} from "./inbox-store.ts";
import { deleteOldLinkTokens } from "./link-store.ts";
import { deleteOldQuestions } from "./question-store.ts";
import { resumeEveryMs, resumeQuestions } from "./resume-questions.ts";
import { deleteUnusedThreads } from "./transcript-store.ts";
import { revokeDisconnected } from "./revoke-disconnected.ts";
import { showEveryMs, showProgress } from "./show-progress.ts";

const dayMs = 86_400_000;
/** Platforms redeliver within hours; admins look at dead letters within a month. */
const finishedDays = 30;
const unusedThreadDays = 30;
const deliveryDays = 90;

/** Starts processing the inbox, together with all other nodes. */
export function startInboxWorker(context: ChatContext): void {
  const { chat, db, nodeId, clock, log } = context;
  if (chat.platforms.size === 0) return;
  const onError = (error: unknown) =>
    log.error({ err: error }, "the chat inbox could not be processed");
  chat.worker.start({
    claim: () =>
      claimUnlessTaken(context, { nodeId, now: clock.now(), leaseUntil: leaseEnd(context) }),
    process: (job, signal) => processJob(context, job, signal),
    onError,
  });
  // On the embedded database no other process exists, so expired leases need not be awaited.
  if (db.dialect === "sqlite") renewJobs(context).catch(onError);
}

/** Two nodes may claim jobs of one thread at the same moment; one of them gets nothing. */
async function claimUnlessTaken(context: ChatContext, claim: Parameters<typeof claimJob>[1]) {
  try {
    return await claimJob(context.db, claim);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "23505";
    if (isTaken) return undefined;
    throw error;
  }
}

/** Recurring tasks of the chat module. */
export const chatTasks: readonly {
  name: string;
  pauseMs: number;
  /** Any node may perform it, as all nodes need it once. */
  isShared: boolean;
  work: (context: ChatContext) => Promise<unknown>;
}[] = [
  { name: "polling the chat inbox", pauseMs: 1_000, isShared: true, work: ifSetUp(poll) },
  {
    name: "renewing chat job leases",
    pauseMs: renewEveryMs,
    isShared: false,
    work: ifSetUp(renewJobs),
  },
  {
    name: "delivering completed runs to chats",
    pauseMs: 1_000,
    isShared: true,
    work: ifSetUp(deliverCompletions),
  },
  {
    name: "resuming chat questions",
    pauseMs: resumeEveryMs,
    isShared: true,
    work: ifSetUp(resumeQuestions),
  },
  {
    name: "posting run progress to chats",
    pauseMs: showEveryMs,
    isShared: true,
    work: ifSetUp(showProgress),
  },
  {
    name: "revoking tokens of disconnected chats",
    pauseMs: 10_000,
    isShared: true,
    work: revokeDisconnected,
  },
  { name: "deleting old chat data", pauseMs: 600_000, isShared: true, work: deleteOldData },
];

/** Skips the task on a server without a chat platform. */
function ifSetUp(work: (context: ChatContext) => Promise<unknown>) {
  return async (context: ChatContext): Promise<void> => {
    if (context.chat.platforms.size > 0) await work(context);
  };
}

/** Other nodes receive messages too, and retries become due. */
async function poll({ chat }: ChatContext): Promise<void> {
  chat.worker.kick();
}

/** Renews this node's leases, and requeues the jobs of stopped nodes. */
async function renewJobs(context: ChatContext): Promise<void> {
  const { db, chat, nodeId, clock } = context;
  const busyIds = chat.worker.busyIds();
  await renewLeases(db, nodeId, busyIds, leaseEnd(context));
  const isAlone = db.dialect === "sqlite";
  const lapse = { nodeId, busyIds, isAlone, now: clock.now() };
  if ((await requeueLapsed(db, lapse)) > 0) chat.worker.kick();
}

async function deleteOldData({ db, clock }: ChatContext): Promise<void> {
  const now = clock.now();
  await forgetUnlinked(db, now);
  await deleteFinished(db, now - finishedDays * dayMs);
  await deleteUnusedThreads(db, now - unusedThreadDays * dayMs);
  await deleteOldDeliveries(db, now - deliveryDays * dayMs);
  await deleteOldQuestions(db, now);
  await deleteOldLinkTokens(db, now);
}
