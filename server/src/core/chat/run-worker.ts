import type { ChatContext } from "./context.ts";
import { deliverCompletions } from "./deliver-completions.ts";
import { deleteOldDeliveries } from "./delivery-store.ts";
import { processJob } from "./process-job.ts";
import { leaseEnd, renewEveryMs } from "./job-lease.ts";
import { claimJob, deleteFinished, renewLeases, requeueLapsed } from "./inbox-store.ts";
import { deleteOldLinkTokens } from "./link-store.ts";
import { deleteOldQuestions } from "./question-store.ts";
import { resumeEveryMs, resumeQuestions } from "./resume-questions.ts";
import { deleteUnusedThreads } from "./transcript-store.ts";
import { revokeDisconnected } from "./revoke-disconnected.ts";
import { showEveryMs, showProgress } from "./show-progress.ts";

const dayMs = 86_400_000;
/** Platforms deliver again within hours; whoever looks at what was given up does so within a month. */
const finishedDays = 30;
const unusedThreadDays = 30;
const deliveryDays = 90;

/** Begins to work on the inbox, together with all other nodes. */
export function startChatWorker(context: ChatContext): void {
  const { chat, db, nodeId, clock, log } = context;
  if (chat.platforms.size === 0) return;
  const onError = (error: unknown) =>
    log.error({ err: error }, "the chats' inbox could not be worked on");
  chat.worker.start({
    claim: () =>
      claimUnlessTaken(context, { nodeId, now: clock.now(), leaseUntil: leaseEnd(context) }),
    process: (job, signal) => processJob(context, job, signal),
    onError,
  });
  // What the process before this one left is nobody's here, so it need not wait for its time to run out.
  if (db.dialect === "sqlite") renewJobs(context).catch(onError);
}

/** Two nodes may reach for two messages of one thread at the same moment: then one of them goes away empty. */
async function claimUnlessTaken(context: ChatContext, claim: Parameters<typeof claimJob>[1]) {
  try {
    return await claimJob(context.db, claim);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "23505";
    if (isTaken) return undefined;
    throw error;
  }
}

/** What has to be done for chats again and again, and how long to pause in between. */
export const chatTasks: readonly {
  name: string;
  pauseMs: number;
  work: (context: ChatContext) => Promise<unknown>;
}[] = [
  { name: "looking into the chats' inbox", pauseMs: 1_000, work: ifSetUp(look) },
  { name: "keeping the chats' work", pauseMs: renewEveryMs, work: ifSetUp(renewJobs) },
  { name: "telling chats of ended runs", pauseMs: 1_000, work: ifSetUp(deliverCompletions) },
  { name: "resuming questions of chats", pauseMs: resumeEveryMs, work: ifSetUp(resumeQuestions) },
  {
    name: "showing the progress of runs in chats",
    pauseMs: showEveryMs,
    work: ifSetUp(showProgress),
  },
  { name: "giving back tokens of chats", pauseMs: 10_000, work: revokeDisconnected },
  { name: "forgetting old chats", pauseMs: 600_000, work: forget },
];

/** A server without a platform has nothing to look for. */
function ifSetUp(work: (context: ChatContext) => Promise<unknown>) {
  return async (context: ChatContext): Promise<void> => {
    if (context.chat.platforms.size > 0) await work(context);
  };
}

/** Messages come by any node, and their time may come later. */
async function look({ chat }: ChatContext): Promise<void> {
  chat.worker.kick();
}

/** Keeps what this node works on, and puts back what dead nodes worked on. */
async function renewJobs(context: ChatContext): Promise<void> {
  const { db, chat, nodeId, clock } = context;
  const busyIds = chat.worker.busyIds();
  await renewLeases(db, nodeId, busyIds, leaseEnd(context));
  const isAlone = db.dialect === "sqlite";
  const lapse = { nodeId, busyIds, isAlone, now: clock.now() };
  if ((await requeueLapsed(db, lapse)) > 0) chat.worker.kick();
}

async function forget({ db, clock }: ChatContext): Promise<void> {
  const now = clock.now();
  await deleteFinished(db, now - finishedDays * dayMs);
  await deleteUnusedThreads(db, now - unusedThreadDays * dayMs);
  await deleteOldDeliveries(db, now - deliveryDays * dayMs);
  await deleteOldQuestions(db, now);
  await deleteOldLinkTokens(db, now);
}
