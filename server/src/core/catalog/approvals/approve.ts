import type { ApprovalNeeds, CreateToolInput, CredentialOwner } from "@toolhost/contract";
import { auditInsert, mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import type { ToolApprovalTable, TransactionStep } from "#db";
import {
  emptyApproval,
  findApprovals,
  putApproval,
  putSavedApproval,
  workspaceOwner,
} from "./approval-store.ts";
import type { ApprovalRow } from "./approval-store.ts";
import { approvedFor, subtractNeeds, isAdded, hasNoNeeds, needsOf } from "./needs.ts";

/** What an approval needs of a version of a tool. */
export type ApprovedVersion = {
  id: string;
  name: string;
  version: number;
  definition: Pick<CreateToolInput, "credentials" | "allowedHosts">;
  /** Set for a version of a draft: the tool whose approvals also apply to it. */
  draft?: { toolId: string | null } | undefined;
};

type By = Pick<Caller, "userId" | "workspaceId" | "actor" | "via" | "ip"> & {
  requestId: string | null;
};
type Writing = Pick<AuthoringContext, "db" | "clock">;

/** Owner of the credentials that an approval covers, as stored in its row. */
export function ownerIdOf({ userId }: Pick<Caller, "userId">, owner: CredentialOwner): string {
  return owner === "workspace" ? workspaceOwner : userId;
}

/**
 * Throws `forbidden` for the workspace's credentials unless the caller administers them: only users who manage the
 * credentials decide which tools get them.
 */
export function checkMayApprove({ role }: Caller, owner: CredentialOwner): void {
  if (owner === "user" || mayDo(role, "credentials:share")) return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins can decide which tools use the workspace's credentials.",
  );
}

/** A version that is being saved. */
type SavedVersion = ApprovedVersion & {
  /** Hash of the code as it was built. */
  codeHash: string;
  /**
   * Declarations that the caller inherited instead of writing them, such as those of a colleague's version whose title
   * they change. Saving does not approve them. If the caller wrote the code, `expose` is not inherited: the code reads
   * the value because of them.
   */
  inherited?: ApprovalNeeds | undefined;
};

/**
 * The steps that approve what the caller wrote into a version: for their own credentials, and for the workspace's if
 * they administer them. A key without `credentials:write` approves nothing, and no save restores a withdrawn approval.
 */
export async function approveBySaving(
  context: Writing,
  caller: Caller,
  saved: SavedVersion,
): Promise<TransactionStep[]> {
  const needs = needsOf(saved.definition);
  if (needs.credentials.length === 0 || !caller.scopes.has("credentials:write")) return [];
  const owners: readonly CredentialOwner[] = mayDo(caller.role, "credentials:share")
    ? ["user", "workspace"]
    : ["user"];
  const before = saved.version === 1 ? [] : await findApprovals(context.db, caller, saved.id);
  const verdicts = owners.map((owner) => {
    const ownerId = ownerIdOf(caller, owner);
    const row = before.find(({ owner_user_id }) => owner_user_id === ownerId);
    return { owner, verdict: judgeSave(needs, { row, ...saved }) };
  });
  const approved = verdicts.filter(({ verdict }) => verdict === "new").map(({ owner }) => owner);
  if (approved.length === 0) return [];
  return [
    ...approved.map((owner) =>
      putSavedApproval(context.db, approvalRow(context, caller, saved, { owner, how: "save" })),
    ),
    approvalEvent(context, caller, { ...saved, needs }, { owners: approved, how: "save" }),
  ];
}

type Known = {
  row: Pick<ApprovalRow, "needs" | "how" | "approved_code"> | undefined;
  codeHash: string;
  inherited?: ApprovalNeeds | undefined;
};

/** Whether the needs of a save are approved already (`known`), are approved by the save (`new`), or are not (`open`). */
export function judgeSave(
  needs: ApprovalNeeds,
  { row, codeHash, inherited }: Known,
): "known" | "new" | "open" {
  const unapproved = subtractNeeds(needs, approvedFor(codeHash, row));
  if (hasNoNeeds(unapproved)) return "known";
  if (row?.how === "withdrawn") return "open";
  return isAdded(unapproved, subtractNeeds(needs, inherited)) ? "new" : "open";
}

/** The row of an approval, and the steps that write it and its audit event. */
export function approval(
  context: Writing,
  caller: By,
  tool: ApprovedVersion,
  owner: CredentialOwner,
): { row: ToolApprovalTable; steps: TransactionStep[] } {
  const how = { owner, how: "request" } as const;
  const row = approvalRow(context, caller, tool, how);
  return {
    row,
    steps: [
      putApproval(context.db, row),
      approvalEvent(
        context,
        caller,
        { ...tool, needs: needsOf(tool.definition) },
        { owners: [owner], how: "request" },
      ),
    ],
  };
}

/** The steps that withdraw an approval; the transaction rolls back if none exists. */
export function withdrawalSteps(
  context: Writing,
  caller: Caller,
  tool: Pick<ApprovedVersion, "id" | "name">,
  owner: CredentialOwner,
): TransactionStep[] {
  const row = {
    workspace_id: caller.workspaceId,
    tool_id: tool.id,
    owner_user_id: ownerIdOf(caller, owner),
    by_user_id: caller.userId,
    at: context.clock.now(),
  };
  const what = { action: "tool.approval_withdraw", target: tool.name, details: { owner } } as const;
  return [
    { query: emptyApproval(context.db, row), mustChange: true },
    auditInsert(context, caller, what),
  ];
}

type How = { owner: CredentialOwner; how: "save" | "request" };

function approvalRow(
  { clock }: Writing,
  caller: By,
  tool: ApprovedVersion,
  { owner, how }: How,
): ToolApprovalTable {
  return {
    workspace_id: caller.workspaceId,
    tool_id: tool.id,
    owner_user_id: ownerIdOf(caller, owner),
    needs: JSON.stringify(needsOf(tool.definition)),
    version: tool.version,
    by_user_id: caller.userId,
    at: clock.now(),
    how,
  };
}

type Approved = Pick<ApprovedVersion, "name" | "version"> & { needs: ApprovalNeeds };

type HowAll = Pick<How, "how"> & { owners: readonly CredentialOwner[]; draft?: true };

/** The one audit event of an approval for all its owners. For a draft, `version` is its build's version, or the approved revision. */
export function approvalEvent(
  context: Writing,
  caller: By,
  { name, version, needs }: Approved,
  { owners, how, draft }: HowAll,
) {
  const { credentials, allowedHosts } = needs;
  const exposed = credentials.filter(({ expose }) => expose).map((credential) => credential.name);
  return auditInsert(context, caller, {
    action: "tool.approve",
    target: name,
    details: {
      version,
      owner: owners.join(" "),
      how,
      ...(draft === undefined ? {} : { draft }),
      credentials: credentials.map((credential) => credential.name).join(" "),
      ...(exposed.length === 0 ? {} : { exposed: exposed.join(" ") }),
      hosts: [...new Set([...credentials.flatMap(({ hosts }) => hosts), ...allowedHosts])].join(
        " ",
      ),
    },
  });
}
