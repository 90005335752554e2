import { findMemberships, findPerson } from "#core/identity";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, ServiceError } from "#core/kernel";
import { planRevocation } from "#core/vault";
import type { WorkspacesContext } from "../context.ts";
import { chargePoints } from "#core/limits";
import { stopRevokedRuns } from "#core/runs";
import { archivePrivateTools } from "../workspace-store.ts";
import { removeMemberSteps } from "../remove-member.ts";
import { deletePerson } from "./person-store.ts";

/** How long a sign-in counts as proof of identity. */
const freshMs = 10 * 60_000;

/**
 * Deletes the caller's account: the profile, the sign-in methods, and everything that acts on their behalf. Runs and audit
 * events remain in the workspaces with an ID that no longer refers to an account. Shared tools remain; private ones are
 * archived. Throws `forbidden` without the password or a sign-in within the last ten minutes, and `last_owner`
 * while a workspace has no other owner.
 */
export async function deleteAccount(
  context: WorkspacesContext,
  caller: Caller,
  proof: { password: string | undefined; signedInAt: number },
): Promise<void> {
  await checkProof(context, caller, proof);
  const { db, clock } = context;
  const { userId } = caller;
  const now = clock.now();
  const person = await findPerson(db, userId);
  const memberships = await findMemberships(db, userId);
  // Sorted, so that two users who leave the same workspaces concurrently cannot deadlock.
  const workspaceIds = memberships.map(({ workspace_id: id }) => id).toSorted();
  const revocations = await Promise.all(
    workspaceIds.map((workspaceId) => planRevocation(context, { workspaceId, userId })),
  );
  const roles = new Map(memberships.map(({ workspace_id: id, role }) => [id, role]));
  const departures = workspaceIds.flatMap((workspaceId) => [
    ...removeMemberSteps(db, { workspaceId, userId, role: roles.get(workspaceId) ?? "" }, now),
    auditInsert(
      context,
      { ...caller, workspaceId },
      { action: "member.leave", target: userId, details: { reason: "account deleted" } },
    ),
  ]);
  const isDeleted = await commitWrite(context, caller, null, [
    ...departures,
    archivePrivateTools(db, userId, now),
    ...deletePerson(db, { userId, email: person?.email ?? "" }),
    auditInsert(context, caller, { action: "account.delete", target: userId }),
  ]);
  if (!isDeleted) {
    throw new ServiceError(
      "last_owner",
      "You are the only owner of a workspace. Transfer or delete it first.",
    );
  }
  for (const revoke of revocations) revoke();
  await Promise.all(
    workspaceIds.map((workspaceId) => stopRevokedRuns(context, { workspaceId, userId })),
  );
}

async function checkProof(
  context: WorkspacesContext,
  { userId }: Caller,
  { password, signedInAt }: { password: string | undefined; signedInAt: number },
): Promise<void> {
  if (password === undefined) {
    if (context.clock.now() - signedInAt <= freshMs) return;
    throw new ServiceError(
      "forbidden",
      "Send your password, or sign in again and retry within 10 minutes.",
    );
  }
  await chargePoints(context, "failed-sign-ins", `delete:${userId}`);
  if (await context.people.hasPassword(userId, password)) return;
  throw new ServiceError("forbidden", "The password is incorrect.");
}
