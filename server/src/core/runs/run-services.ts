import type { Via } from "@toolhost/contract";
import type { ExecuteRequest } from "@toolhost/sandbox";
import type { Actor } from "#core/access";
import type { Context } from "#core/context";
import { inputFileIds, serveRunFiles } from "#core/files";
import type { RunnableTool } from "#core/tools";
import type { WorkableRun } from "./execute-run.ts";

/** What the service itself answers a run's tool: its files. */
export function servicesOf(
  context: Context,
  tool: RunnableTool,
  run: WorkableRun,
): NonNullable<ExecuteRequest["services"]> {
  const { fileFields } = tool.definition;
  const inputIds =
    fileFields.length === 0
      ? new Set<string>()
      : inputFileIds(fileFields, JSON.parse(run.input) as unknown);
  const maker = {
    userId: run.user_id,
    workspaceId: run.workspace_id,
    actor: JSON.parse(run.actor) as Actor,
    via: run.via as Via,
    requestId: run.request_id,
    ip: run.ip,
  };
  return { "files.internal": serveRunFiles(context, { runId: run.id, maker, inputIds }) };
}
