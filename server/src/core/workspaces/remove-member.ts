import type { Database, TransactionStep } from "#db";
import { endAccess } from "./end-access.ts";
import { deleteMember } from "./member-store.ts";
import { holdMembers } from "./workspace-store.ts";

type Leaving = { workspaceId: string; userId: string; role: string };

/**
 * Takes a person out of a workspace with all that acts in their name there; undoes all when their role is another by
 * now or nobody else owns the workspace.
 */
export function removeMemberSteps(
  db: Database,
  { workspaceId, userId, role }: Leaving,
  now: number,
): TransactionStep[] {
  return [
    holdMembers(db, workspaceId),
    deleteMember(db, { workspace_id: workspaceId, user_id: userId, role }),
    ...endAccess(db, { workspaceId, userId }, now),
  ];
}
