import type { RunResult } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import {
  approveDraft,
  buildDraft,
  draftName,
  findRunnableVersion,
  findToolToChange,
} from "#core/catalog";
import type { DraftsContext } from "./context.ts";
import { runTool } from "#core/runs";
import { findDraftApproval } from "./draft-approval.ts";
import { touchDraft } from "./draft-store.ts";
import { findOwnDraft } from "./drafts.ts";
import { toDraftRef } from "./draft-ref.ts";
import { readDefinition } from "./read-definition.ts";

type Request = Omit<Parameters<typeof runTool>[2], "toolName" | "draft">;

/**
 * Runs the last saved draft like a tool, with the credentials that saving it or its author approved (`draft-approval.ts`);
 * running it approves none. Only the author sees the run. Throws `insufficient_scope` without `mcp:execute`, `not_found`,
 * `invalid_tool` with every problem, and the errors of runs.
 */
export async function runDraft(
  context: DraftsContext,
  caller: Caller,
  id: string,
  request: Request,
  signal?: AbortSignal,
): Promise<RunResult> {
  // Code that runs can run tools.
  requireScope(caller, "mcp:execute");
  const row = await findOwnDraft(context, caller, id);
  // A user who may no longer change the tool must not use its approvals for a draft of its next version.
  const current =
    row.tool_name === null ? undefined : await findToolToChange(context, caller, row.tool_name);
  const definition = readDefinition(row.definition, current);
  const version = await buildDraft(context, toDraftRef(row), definition, signal);
  const name = row.tool_name ?? draftName(id);
  const draft = await findRunnableVersion(context, { id, name, version, isDraft: true });
  await approveDraft(context, caller, draft, await findDraftApproval(context, row, definition));
  await touchDraft(context.db, caller, id, context.clock.now());
  return runTool(context, caller, { ...request, toolName: name, draft });
}
