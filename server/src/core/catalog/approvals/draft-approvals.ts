import type { ApprovalNeeds, CredentialOwner } from "@toolhost/contract";
import { mayDo } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import type { Database, DraftVersionTable } from "#db";
import { findApprovals } from "./approval-store.ts";
import { approvalEvent, judgeSave, ownerIdOf } from "./approve.ts";
import type { ApprovedVersion } from "./approve.ts";
import { approvedFor, hasNoNeeds, needsOf, subtractNeeds } from "./needs.ts";
import { readDefinition } from "../tools/tool.ts";

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
  return { owners: ownersOf(found), isSavedWithRight: found?.saved_with_right === 1 };
}

function ownersOf(flags: Flags | undefined): ReadonlySet<CredentialOwner> {
  const owners = new Set<CredentialOwner>();
  if (flags?.own_approved === 1) owners.add("user");
  if (flags?.shared_approved === 1) owners.add("workspace");
  return owners;
}

type BuiltVersion = ApprovedVersion & { bundle: { id: string } };

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
  version: BuiltVersion,
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
  version: BuiltVersion,
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
  const known = await findKnown(db, version);
  const owners: CredentialOwner[] = [];
  if (to.own_approved > from.own_approved && !known.has("user")) owners.push("user");
  if (to.shared_approved > from.shared_approved && !known.has("workspace"))
    owners.push("workspace");
  const approved = { ...version, needs: needsOf(version.definition) };
  const how = { owners, how: "save", draft: true } as const;
  await db.transact([
    { query, mustChange: true },
    ...(owners.length === 0 ? [] : [approvalEvent(context, caller, approved, how)]),
  ]);
}

/** The owners for whom the build before was approved for the same needs, so that this one approves nothing more. */
async function findKnown(
  db: Database,
  { id, version, definition, bundle }: BuiltVersion,
): Promise<ReadonlySet<CredentialOwner>> {
  const before = await db.kysely
    .selectFrom("draft_versions")
    .select([...columns, "definition", "bundle_hash"])
    .where("draft_id", "=", id)
    .where("version", "<", version)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (before === undefined) return new Set();
  const row = {
    needs: JSON.stringify(needsOf(readDefinition(before.definition))),
    approved_code: before.bundle_hash,
  };
  const more = subtractNeeds(needsOf(definition), approvedFor(bundle.id, row));
  return hasNoNeeds(more) ? ownersOf(before) : new Set();
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
