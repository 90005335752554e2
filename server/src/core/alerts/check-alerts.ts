import { acquireTaskLock } from "#core/kernel";
import type { AlertTable, TransactionStep } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { findDueAlerts, updateAlert } from "./alert-store.ts";
import type { AlertsContext } from "./context.ts";
import { createCounts, evaluate } from "./evaluate.ts";
import type { Counts, Finding } from "./evaluate.ts";
import { notifySteps } from "./notify.ts";

const checkEveryMs = 60_000;
const lockMs = 60_000;
const atOnce = 200;

/**
 * Checks the alerts that are due. A change of state and its notifications are written in one transaction, only if the alert is as it
 * was read: so a crash loses or repeats none, and neither do several nodes, of which one checks.
 */
export async function checkAlerts(context: AlertsContext, signal: AbortSignal): Promise<void> {
  const { db, clock, nodeId, log } = context;
  const now = clock.now();
  const due = await findDueAlerts(db, now, atOnce);
  if (due.length === 0) return;
  const task = { name: "alerts", nodeId, lockMs };
  const counts = createCounts(context);
  let lockedAt = -Infinity;
  for (const alert of due) {
    if (signal.aborted) return;
    if (performance.now() - lockedAt > lockMs / 2) {
      if (!(await acquireTaskLock(db, task))) return;
      lockedAt = performance.now();
    }
    try {
      await checkAlert(context, alert, { now, counts });
    } catch (error) {
      log.error({ err: error, alertId: alert.id }, "an alert could not be checked");
      // The others must not wait for it forever.
      await db.transact([updateAlert(db, alert, { next_check_at: now + checkEveryMs })]);
    }
    await yieldToEventLoop();
  }
}

async function checkAlert(
  context: AlertsContext,
  alert: AlertTable,
  moment: { now: number; counts: Counts },
): Promise<void> {
  const { db } = context;
  const { now } = moment;
  const finding = await evaluate(context, alert, moment);
  const checked = { checked_at: now, next_check_at: now + checkEveryMs };
  await db.transact(
    "problem" in finding
      ? [updateAlert(db, alert, { ...checked, problem: finding.problem })]
      : transition(context, alert, finding, checked),
  );
}

function transition(
  context: AlertsContext,
  alert: AlertTable,
  { isFiring, summary, subjects }: Exclude<Finding, { problem: string }>,
  checked: Partial<AlertTable>,
): TransactionStep[] {
  const known = new Set(JSON.parse(alert.subjects) as string[]);
  const wasFiring = alert.state === "firing";
  const hasMore = subjects.some((id) => !known.has(id));
  const type =
    isFiring && (!wasFiring || hasMore)
      ? "firing"
      : !isFiring && wasFiring
        ? "resolved"
        : undefined;
  const state = isFiring ? "firing" : wasFiring ? "resolved" : alert.state;
  const change = {
    ...checked,
    state,
    ...(state === alert.state ? {} : { state_since: context.clock.now() }),
    subjects: JSON.stringify(subjects),
    summary,
    problem: null,
  };
  return [
    updateAlert(context.db, alert, change),
    ...(type === undefined ? [] : notifySteps(context, alert, { type, summary })),
  ];
}
