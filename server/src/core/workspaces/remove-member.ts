import type { Database, TransactionStep } from "#db";
import { revokeAccess } from "./revoke-access.ts";
import { deleteMember } from "./member-store.ts";
import { lockMembers } from "./workspace-store.ts";

type RemovedMember = { workspaceId: string; userId: string; role: string };

/**
 * The steps that remove a member from a workspace and revoke everything that acts on their behalf there. They change nothing
 * if the member's role has changed or if they are the only owner.
 */
export function removeMemberSteps(
  db: Database,
  { workspaceId, userId, role }: RemovedMember,
  now: number,
): TransactionStep[] {
  return [
    lockMembers(db, workspaceId),
    deleteMember(db, { workspace_id: workspaceId, user_id: userId, role }),
    ...revokeAccess(db, { workspaceId, userId }, now),
  ];
}
