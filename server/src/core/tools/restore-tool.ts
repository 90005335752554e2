import type { ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { approveBySaving, needsOf } from "#core/approvals";
import { auditInsert } from "#core/audit";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite } from "#core/idempotency";
import { newId } from "#lib/ids";
import { changeLiveTool } from "./change-live-tool.ts";
import { checkVisibility } from "./check-definition.ts";
import { pruneVersions } from "./tool-caps.ts";
import { changeTool, findVersion, insertVersion } from "./tool-store.ts";
import { readDefinition } from "./tool.ts";
import { withVersion } from "./version-row.ts";

/** Makes an earlier version live again, as a new version with its content. */
export async function restoreTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  from: number,
): Promise<ToolDetail> {
  return changeLiveTool(context, caller, name, async (current) => {
    const restored = await findVersion(context.db, current.id, from);
    if (restored === undefined) {
      throw new ServiceError("not_found", `The tool ${name} has no version ${from}.`);
    }
    const version = current.version + 1;
    const now = context.clock.now();
    const definition = readDefinition(restored.definition);
    checkVisibility({ ...definition, visibility: current.visibility });
    // Of a version that somebody else saved, or an agent, the caller may never have seen what it asks for.
    const isOwn = restored.created_by === caller.userId && restored.vouched === 1;
    const { steps: approvals, isVouched } = await approveBySaving(context, caller, {
      id: current.id,
      name,
      version,
      definition,
      codeHash: restored.bundle_hash,
      inherited: isOwn ? undefined : needsOf(definition),
    });
    const row = {
      ...restored,
      id: newId(),
      version,
      created_by: caller.userId,
      created_at: now,
      restored_from: from,
      vouched: isVouched ? 1 : 0,
    };
    const changed = withVersion(context, caller, current, row);
    const isChanged = await commitWrite(context, caller, changed, [
      ...changeTool(context.db, {
        toolId: current.id,
        workspaceId: caller.workspaceId,
        from: current.version,
        set: { live_version: version, updated_at: now },
      }),
      insertVersion(context.db, row),
      auditInsert(context, caller, {
        action: "tool.restore",
        target: name,
        details: { version, restoredFrom: from },
      }),
      ...approvals,
      ...pruneVersions(context, { toolId: current.id, newest: version }),
    ]);
    return isChanged ? changed : undefined;
  });
}
