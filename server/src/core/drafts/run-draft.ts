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
import { consentOf } from "./draft-consent.ts";
import { touchDraft } from "./draft-store.ts";
import { findOwnDraft } from "./drafts.ts";
import { placeOf } from "./place-of.ts";
import { readDefinition } from "./read-definition.ts";

type Request = Omit<Parameters<typeof runTool>[2], "toolName" | "draft">;

/**
 * Runs a draft as it was saved last, in every way like a tool, with the credentials that its author's saving gives it
 * (`draft-consent.ts`); running gives it none. Only they see the run's record. Throws `insufficient_scope` without `mcp:execute`, `not_found`,
 * `invalid_tool` with all that is wrong, and what running a tool throws.
 */
export async function runDraft(
  context: DraftsContext,
  caller: Caller,
  id: string,
  request: Request,
  signal?: AbortSignal,
): Promise<RunResult> {
  // Code that runs may run tools as well.
  requireScope(caller, "mcp:execute");
  const row = await findOwnDraft(context, caller, id);
  // Who may no longer change the tool may not try out its next version with its approvals either.
  const current =
    row.tool_name === null ? undefined : await findToolToChange(context, caller, row.tool_name);
  const definition = readDefinition(row.definition, current);
  const version = await buildDraft(context, placeOf(row), definition, signal);
  const name = row.tool_name ?? draftName(id);
  const draft = await findRunnableVersion(context, { id, name, version, isDraft: true });
  await approveDraft(context, caller, draft, await consentOf(context, row, definition));
  await touchDraft(context.db, caller, id, context.clock.now());
  return runTool(context, caller, { ...request, toolName: name, draft });
}
