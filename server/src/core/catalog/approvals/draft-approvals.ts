import type { ApprovalNeeds, CredentialOwner } from "@toolhost/contract";
import { mayDo } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import type { Database, DraftVersionTable } from "#db";
import { findApprovals } from "./approval-store.ts";
import { approvalEvent, judgeSave, ownerIdOf } from "./approve.ts";
import type { ApprovedVersion } from "./approve.ts";
import { subtractNeeds, hasNoNeeds, needsOf } from "./needs.ts";

type Writing = Pick<AuthoringContext, "db" | "clock">;
type By = Parameters<typeof approvalEvent>[1];
const columns = ["saved_with_right", "own_approved", "shared_approved"] as const;
type Flags = Pick<DraftVersionTable, (typeof columns)[number]>;

type DraftApprovals = {
  /** Owners whose credentials it may use, because its author saved or approved it. */
  owners: ReadonlySet<CredentialOwner>;
  /** The approvals of the tool that it changes also apply to it. */
  isSavedWithRight: boolean;
};

/** The owners whose credentials are approved for a version of a draft. */
export async function findDraftApprovals(
  db: Database,
  { id, version }: Pick<ApprovedVersion, "id" | "version">,
): Promise<DraftApprovals> {
  const found = await findFlags(db, id, version);
  const owners: CredentialOwner[] = [];
  if (found?.own_approved === 1) owners.push("user");
  if (found?.shared_approved === 1) owners.push("workspace");
  return { owners: new Set(owners), isSavedWithRight: found?.saved_with_right === 1 };
}

/** How the content of a draft was approved. */
export type DraftApproval = {
  /** Its content was last saved by a session or key with `credentials:write`. */
  isSavedWithRight: boolean;
  /** Needs of the tool that it changes or was copied from, which its author did not write. */
  inherited: ApprovalNeeds | undefined;
  /** What its author approved explicitly. */
  approved: ApprovalNeeds | undefined;
};

/**
 * Approves the credentials that the author's last save or approval of a draft covers, for a version of it: their own, and
 * the workspace's if they administer them. Which user or key runs it makes no difference.
 */
export async function approveDraft(
  context: Writing,
  caller: Caller,
  version: ApprovedVersion & { bundle: { id: string } },
  approval: DraftApproval,
): Promise<void> {
  const needs = needsOf(version.definition);
  if (needs.credentials.length === 0) return;
  const flags = await findFlags(context.db, version.id, version.version);
  if (flags === undefined) return;
  const toolId = version.draft?.toolId;
  const rows = toolId == null ? [] : await findApprovals(context.db, caller, toolId);
  const approves = (owner: CredentialOwner): 0 | 1 => {
    if (!approval.isSavedWithRight) return 0;
    if (hasNoNeeds(subtractNeeds(needs, approval.approved))) return 1;
    const ownerId = ownerIdOf(caller, owner);
    const row = rows.find(({ owner_user_id }) => owner_user_id === ownerId);
    return judgeSave(needs, { row, codeHash: version.bundle.id, inherited: approval.inherited }) ===
      "open"
      ? 0
      : 1;
  };
  const administers = mayDo(caller.role, "credentials:share");
  await change(context, caller, version, flags, {
    saved_with_right: approval.isSavedWithRight ? 1 : 0,
    own_approved: approves("user"),
    shared_approved: administers ? approves("workspace") : 0,
  });
}

async function change(
  context: Writing,
  caller: By,
  version: ApprovedVersion,
  from: Flags,
  to: Flags,
): Promise<void> {
  const { db } = context;
  if (columns.every((name) => from[name] === to[name])) return;
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
      approvalEvent(
        context,
        caller,
        { ...version, needs: needsOf(version.definition) },
        { owner, how: "save", draft: true },
      ),
    ),
  ]);
}

async function findFlags(
  db: Database,
  draftId: string,
  version: number,
): Promise<Flags | undefined> {
  return db.kysely
    .selectFrom("draft_versions")
    .select(columns)
    .where("draft_id", "=", draftId)
    .where("version", "=", version)
    .executeTakeFirst();
}
