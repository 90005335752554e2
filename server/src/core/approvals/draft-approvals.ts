import type { CredentialOwner } from "@toolhost/contract";
import { mayDo } from "#core/access";
import type { Caller } from "#core/access";
import type { AuthoringContext } from "#core/context";
import type { Database, DraftVersionTable } from "#db";
import { approvalEvent } from "./approve.ts";
import type { ApprovedVersion } from "./approve.ts";

type Writing = Pick<AuthoringContext, "db" | "clock">;
type By = Parameters<typeof approvalEvent>[1];
type Approved = Pick<DraftVersionTable, "own_approved" | "shared_approved">;

/** Whose credentials a version of a draft may have by its author's doing; nobody's for what is no draft. */
export async function findDraftApprovals(
  db: Database,
  { id, version, draft }: ApprovedVersion,
): Promise<ReadonlySet<CredentialOwner>> {
  const found = draft && (await findFlags(db, id, version));
  const owners: CredentialOwner[] = [];
  if (found?.own_approved === 1) owners.push("user");
  if (found?.shared_approved === 1) owners.push("workspace");
  return new Set(owners);
}

/**
 * Lets a version of a draft have what saving it would let it have: its author's own credentials, and the workspace's
 * if they administer those; whoever does no longer loses that. A key that may not touch credentials approves nothing.
 */
export async function approveDraft(
  context: Writing,
  caller: Caller,
  version: ApprovedVersion,
): Promise<void> {
  if (version.definition.credentials.length === 0) return;
  const flags = await findFlags(context.db, version.id, version.version);
  if (flags === undefined) return;
  const mayApprove = caller.scopes.has("credentials:write");
  const administers = mayDo(caller.role, "credentials:share");
  await change(context, caller, version, flags, {
    own_approved: mayApprove ? 1 : flags.own_approved,
    shared_approved: administers ? (mayApprove ? 1 : flags.shared_approved) : 0,
  });
}

/** Takes the run of a draft for its author's consent to what it asks of their own credentials. */
export async function approveDraftByRunning(
  context: Writing,
  caller: By,
  version: ApprovedVersion,
): Promise<void> {
  const flags = await findFlags(context.db, version.id, version.version);
  if (flags !== undefined) {
    await change(context, caller, version, flags, { ...flags, own_approved: 1 });
  }
}

async function change(
  context: Writing,
  caller: By,
  version: ApprovedVersion,
  from: Approved,
  to: Approved,
): Promise<void> {
  const { db } = context;
  const isSame =
    from.own_approved === to.own_approved && from.shared_approved === to.shared_approved;
  if (isSame) return;
  const query = db.kysely
    .updateTable("draft_versions")
    .set(to)
    .where("draft_id", "=", version.id)
    .where("version", "=", version.version)
    .where("workspace_id", "=", caller.workspaceId)
    .where("user_id", "=", caller.userId)
    .compile();
  const granted: CredentialOwner[] = [];
  if (to.own_approved > from.own_approved) granted.push("user");
  if (to.shared_approved > from.shared_approved) granted.push("workspace");
  await db.transact([
    { query, mustChange: true },
    ...granted.map((owner) =>
      approvalEvent(context, caller, version, { owner, how: "save", draft: true }),
    ),
  ]);
}

async function findFlags(
  db: Database,
  draftId: string,
  version: number,
): Promise<Approved | undefined> {
  return db.kysely
    .selectFrom("draft_versions")
    .select(["own_approved", "shared_approved"])
    .where("draft_id", "=", draftId)
    .where("version", "=", version)
    .executeTakeFirst();
}
