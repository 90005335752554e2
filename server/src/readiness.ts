import type { SandboxStatus } from "@toolhost/sandbox";
import type { Context } from "#core/context";
import { explainOutage } from "#db";
import { every } from "#lib/every";

/** Whether the service can accept runs, and the state of each component that it needs for that. */
type ReadinessReport = {
  isReady: boolean;
  database: { ready: boolean; dialect: string; problem?: string };
  sandbox: SandboxStatus;
};

/** What the background checks found last, so that a busy sandbox or a silent database delays no response. */
export type Readiness = { read: () => ReadinessReport; stop: () => Promise<void> };

const notResponding = "The database is not responding.";
const pauseMs = 1_000;
const pingTimeoutMs = 2_000;
/** A check of the sandbox costs a run, so it happens only while someone reads the result. */
const readersLeaveAfterMs = 60_000;

/** Checks the database and the sandbox in the background until it is stopped. */
export function watchReadiness(context: Context): Readiness {
  const { db, cluster, log } = context;
  let unanswered: string | undefined;
  let sandbox = context.sandbox.status();
  let lastReadAt = -Infinity;

  const checkDatabase = async () => {
    const timer = setTimeout(() => {
      unanswered = notResponding;
    }, pingTimeoutMs);
    try {
      // A ping that is late is awaited, because each further one would occupy another connection.
      await db.ping();
      unanswered = undefined;
    } catch (error) {
      unanswered = explainOutage(error) ?? notResponding;
    } finally {
      clearTimeout(timer);
    }
  };
  const checkSandbox = async () => {
    if (performance.now() - lastReadAt < readersLeaveAfterMs)
      sandbox = await context.sandbox.check();
  };
  const onError = (error: unknown) => log.error({ err: error }, "checking readiness failed");
  const checks = [checkDatabase, checkSandbox].map((check) => every(pauseMs, check, onError));

  return {
    read: () => {
      lastReadAt = performance.now();
      // A ping checks reads; heartbeats and requests report whether writes succeed.
      const problem = unanswered ?? cluster.problem;
      const { dialect } = db;
      const database =
        problem === undefined ? { ready: true, dialect } : { ready: false, dialect, problem };
      return {
        isReady: database.ready && sandbox.ready && !cluster.isLeaving && !cluster.isStopping,
        database,
        sandbox,
      };
    },
    stop: async () => void (await Promise.all(checks.map((check) => check.stop()))),
  };
}
