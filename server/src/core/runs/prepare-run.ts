import type { ErrorDetail } from "@toolhost/contract";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { checkInputFiles, inputFileIds, noteFileUse } from "#core/files";
import { findToolToRun } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { newId } from "#lib/ids";
import type { NewRun, RunKey } from "./begin-store.ts";
import { checkCredentials } from "./missing-credentials.ts";
import { noNode } from "./queue-store.ts";
import { inputColumns, recordedInput } from "./recorded-input.ts";
import type { Input } from "./recorded-input.ts";
import { checkRunBytes } from "./run-bytes.ts";
import type { RunCaller } from "./run-caller.ts";

type Asked = {
  toolName: string;
  /** The version of a draft that runs in the place of the tool of that name. */
  draft?: RunnableTool | undefined;
  /** Any JSON: the tool's schema decides. */
  input: unknown;
  /** The files that it may name; any of the workspace when left out. */
  fileIds?: ReadonlySet<string>;
  /** The workspace that must have made it; any when left out. */
  madeBy?: string | undefined;
  /** The run that asks for it is private, and so is this one. */
  isWithinPrivate?: boolean;
};

/** What a run is made of, checked: nothing is written yet. */
export type PreparedRun = {
  tool: RunnableTool;
  input: Input;
  /** Only the caller sees the run. */
  isPrivate: boolean;
};

/**
 * The version of a tool that runs for the caller, with an input that it takes. Throws `tool_not_found`, `invalid_input`,
 * `credentials_missing`, `quota_exceeded` when the workspace's runs have too many bytes, and `unavailable` when no tool can
 * run here.
 */
export async function prepareRun(
  context: RunsContext,
  caller: RunCaller,
  { toolName, draft, input, fileIds, madeBy, isWithinPrivate = false }: Asked,
): Promise<PreparedRun> {
  const found =
    draft === undefined
      ? await findToolToRun(context, caller, toolName)
      : { tool: draft, isPrivate: true };
  const { tool } = found;
  const isPrivate = found.isPrivate || isWithinPrivate;
  if (madeBy !== undefined && tool.workspaceId !== madeBy) {
    const message = "A tool of another workspace may run that workspace's tools and no others.";
    throw new ServiceError("forbidden", message);
  }
  await checkRunBytes(context, caller.workspaceId);
  const whole = JSON.stringify(input);
  const { workspaceId } = caller;
  const asked = { value: input, text: whole };
  const { errors, shown } = await context.validation.checkInput(
    workspaceId,
    tool.inputSchema,
    asked,
  );
  refuseIfWrong(errors);
  const { fileFields } = tool.definition;
  refuseIfWrong(await checkInputFiles(context, caller, { fileFields, input, fileIds }));
  const redact = await checkCredentials(context, caller, tool);
  checkReady(context);
  await noteFileUse(context, caller, { ids: inputFileIds(fileFields, input), isPrivate });
  return { tool, input: await recordedInput({ input, shown, whole }, redact), isPrivate };
}

function refuseIfWrong(errors: readonly ErrorDetail[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_input", `${first.path || "The input"} ${first.message}.`, {
    errors,
  });
}

/** Fails closed: no sandbox, no run. */
function checkReady({ sandbox }: RunsContext): void {
  const status = sandbox.status();
  if (status.ready) return;
  throw new ServiceError("unavailable", `No tool can run: ${status.problem}. ${status.advice}`, {
    retryAfterSeconds: 30,
  });
}

type How = { isQueued: boolean; key: RunKey | undefined; parentRunId: string | null };

/** The row of a run as it begins. */
export function newRun(
  context: RunsContext,
  caller: RunCaller,
  { tool, input, isPrivate }: PreparedRun,
  { isQueued, key, parentRunId }: How,
): NewRun {
  const id = newId();
  const now = context.clock.now();
  return {
    id,
    workspace_id: caller.workspaceId,
    tool_id: tool.id,
    tool_name: tool.name,
    tool_version: tool.version,
    user_id: caller.userId,
    status: "running",
    queued: isQueued ? 1 : 0,
    via: caller.via,
    actor: JSON.stringify(caller.actor),
    request_id: caller.requestId,
    ip: caller.ip,
    ...inputColumns(context, id, input),
    node_id: isQueued ? noNode : context.nodeId,
    created_at: now,
    started_at: isQueued ? null : now,
    idempotency_id: key?.request.recordId ?? null,
    attempt: 1,
    parent_run_id: parentRunId,
    draft_id: tool.draft === undefined ? null : tool.id,
    is_private: isPrivate ? 1 : 0,
  };
}
