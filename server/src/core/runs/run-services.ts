import type { ExecuteRequest } from "@toolhost/sandbox";
import type { RunsContext } from "./context.ts";
import { inputFileIds, serveRunFiles } from "#core/files";
import type { RunnableTool } from "#core/catalog";
import type { ActiveRun, StartRun } from "./active-runs.ts";
import type { WorkableRun } from "./execute-run.ts";
import { callerOfRun } from "./run-caller.ts";
import { serveRunTools } from "./serve-run-tools.ts";

/** What the service itself answers a run's tool: its files, and runs of other tools. */
export function servicesOf(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  { active, start }: { active: ActiveRun; start: StartRun },
): NonNullable<ExecuteRequest["services"]> {
  const { fileFields } = tool.definition;
  if (fileFields.length > 0) {
    for (const id of inputFileIds(fileFields, JSON.parse(run.input))) active.fileIds.add(id);
  }
  const caller = callerOfRun(run);
  const files = serveRunFiles(context, {
    runId: run.id,
    maker: caller,
    fileIds: active.fileIds,
    noteSaved: (fileId) => noteSaved(active, fileId),
  });
  const hasTools = context.config.RUN_CHILD_DEPTH > 0;
  return {
    "files.internal": files,
    ...(hasTools ? { "tools.internal": serveRunTools(context, active, caller, start) } : {}),
  };
}

/** A file that a run saved is its own, and that of whoever waits for it. */
function noteSaved(active: ActiveRun, fileId: string): void {
  for (let run: ActiveRun | undefined = active; run !== undefined; run = run.parent) {
    run.fileIds.add(fileId);
  }
}
