import type { Session } from "../session.ts";

/** Cancels a run. */
export async function cancel({ connect, terminal }: Session, _flags: object, runId: string) {
  const { client } = await connect();
  const run = await client.runs.cancel(runId);
  terminal.result(run, () => `Run ${runId}: ${run.status}`);
}
