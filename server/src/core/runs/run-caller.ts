import type { Via } from "@toolhost/contract";
import type { Actor, Caller } from "#core/kernel";
import type { RunTable } from "#db";

/** In whose name a run is: what a caller says, and a run's row says again later. */
export type RunCaller = Pick<Caller, "userId" | "workspaceId" | "actor" | "via" | "ip"> & {
  requestId: string | null;
};

type Row = Pick<RunTable, "user_id" | "workspace_id" | "actor" | "via" | "request_id" | "ip">;

/** The one who asked for a run, for what its tool does in their name. */
export function callerOfRun(run: Row): RunCaller {
  return {
    userId: run.user_id,
    workspaceId: run.workspace_id,
    actor: JSON.parse(run.actor) as Actor,
    via: run.via as Via,
    requestId: run.request_id,
    ip: run.ip,
  };
}
