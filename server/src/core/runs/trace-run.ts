import type { EgressObserver, ExecuteResult } from "@toolhost/sandbox";
import type { RunTable } from "#db";
import {
  egressRequest,
  egressResponse,
  executeTool,
  failure,
  queueWait,
  runEnd,
  sandboxExecute,
  sandboxLease,
  sandboxUsage,
} from "#telemetry";
import type { ActiveRun, ExecutableRun } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import type { RunOutcome } from "./records/present-run.ts";

/**
 * Traces the execution of a run until its end is written. A run from the queue continues the trace of its request, on whichever
 * node, and its span includes the wait.
 */
export async function traceRun(
  { tracing }: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
  { isQueued, work }: { isQueued: boolean; work: () => Promise<RunOutcome> },
): Promise<RunOutcome> {
  if (!tracing.isOn) return work();
  const startedAt = run.created_at;
  const span = isQueued
    ? tracing.resume(run.trace_context, () => tracing.start(executeTool, run, { startedAt }))
    : tracing.start(executeTool, run);
  if (isQueued) tracing.start(queueWait, run, { parent: span, startedAt }).end();
  active.span = span;
  try {
    const outcome = await tracing.within(span, work);
    span.update(runEnd, outcome);
    return outcome;
  } catch (error) {
    span.update(failure, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Traces a run that no node executes any longer; the node that did could not send its span. */
export function traceLostRun(
  { tracing }: RunsContext,
  run: RunTable,
  end: Pick<RunTable, "status" | "error">,
): void {
  if (!tracing.isOn) return;
  const startedAt = run.started_at ?? run.created_at;
  const span = tracing.resume(run.trace_context, () =>
    tracing.start(executeTool, run, { startedAt }),
  );
  span.update(runEnd, end);
  span.end();
}

const ignoreStart = () => undefined;

/** Traces the lease of a sandbox process and the execution in it. `execute` is passed what to call once a process is leased. */
export async function traceSandbox(
  { tracing }: RunsContext,
  active: ActiveRun,
  execute: (onStart: () => void) => Promise<ExecuteResult>,
): Promise<ExecuteResult> {
  if (!tracing.isOn) return execute(ignoreStart);
  const parent = active.span;
  const lease = tracing.start(sandboxLease, active, { parent });
  const onStart = () => {
    lease.end();
    active.span = tracing.start(sandboxExecute, active, { parent });
  };
  try {
    // Processes outlive the run, and what they do later belongs to other runs.
    const result = await tracing.detached(() => execute(onStart));
    if (active.span !== parent) active.span.update(sandboxUsage, result);
    return result;
  } finally {
    lease.end();
    if (active.span !== parent) active.span.end();
    active.span = parent;
  }
}

/** Traces the requests of a run, and passes the trace on to the hosts that the operator lists. */
export function traceEgress(
  { tracing, config }: RunsContext,
  active: ActiveRun,
): EgressObserver | undefined {
  if (!tracing.isOn) return undefined;
  const hosts = config.TRACE_PROPAGATION_HOSTS;
  return (request) => {
    const { host, port } = request;
    const span = tracing.start(egressRequest, request, { parent: active.span });
    const isListed = hosts.includes(host) || hosts.includes(`${host}:${port}`);
    return {
      headers: isListed ? tracing.headersOf(span) : {},
      end: (result) => {
        span.update(egressResponse, result);
        span.end();
      },
    };
  };
}
