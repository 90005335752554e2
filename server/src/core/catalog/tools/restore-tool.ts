import type { ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, ServiceError } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import { newId } from "#lib/ids";
import { changeLiveTool } from "./change-live-tool.ts";
import { checkVisibility } from "./check-definition.ts";
import { pruneVersions } from "./tool-caps.ts";
import { changeTool, findVersion } from "./tool-store.ts";
import { insertVersion } from "./version-store.ts";
import { readDefinition } from "./tool.ts";
import { withVersion } from "./version-row.ts";

/** Restores an earlier version by copying it to a new live version. */
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
    // Restoring approves nothing: needs that are not approved have to be reviewed again.
    const row = {
      ...restored,
      id: newId(),
      version,
      created_by: caller.userId,
      created_at: now,
      restored_from: from,
      vouched: restored.created_by === caller.userId ? restored.vouched : 0,
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
      ...pruneVersions(context, { toolId: current.id, newest: version }),
    ]);
    return isChanged ? changed : undefined;
  });
}
