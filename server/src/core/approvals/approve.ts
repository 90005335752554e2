import type { ApprovalNeeds, CredentialOwner, ToolDraft } from "@toolhost/contract";
import { mayDo } from "#core/access";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import type { ToolApprovalTable, TransactionStep } from "#db";
import {
  emptyApproval,
  findApprovals,
  putApproval,
  putFirstApproval,
  workspaceOwner,
} from "./approval-store.ts";
import { beyond, isNothing, needsOf } from "./needs.ts";

/** A version of a tool, as far as an approval of it goes. */
export type ApprovedVersion = {
  id: string;
  name: string;
  version: number;
  definition: Pick<ToolDraft, "credentials" | "allowedHosts">;
  /** Of a version of a draft: the tool whose approvals hold for it as well. */
  draft?: { toolId: string | null } | undefined;
};

type By = Pick<Caller, "userId" | "workspaceId" | "actor" | "via" | "ip"> & {
  requestId: string | null;
};
type Writing = Pick<AuthoringContext, "db" | "clock">;

/** What an approval covers, as it is kept. */
export function readNeeds(text: string): ApprovalNeeds {
  return JSON.parse(text) as ApprovalNeeds;
}

/** Whose credentials an approval is about, as rows name them. */
export function ownerIdOf({ userId }: Pick<Caller, "userId">, owner: CredentialOwner): string {
  return owner === "workspace" ? workspaceOwner : userId;
}

/**
 * Throws `forbidden` for the workspace's credentials unless the caller administers them: who decides what
 * they are is who decides which tools get them.
 */
export function checkMayApprove({ role }: Caller, owner: CredentialOwner): void {
  if (owner === "user" || mayDo(role, "credentials:share")) return;
  throw new ServiceError(
    "forbidden",
    "Only owners and admins decide what gets the workspace's credentials.",
  );
}

/**
 * The steps by which whoever saves a version approves what is new in it: for their own credentials, and for the
 * workspace's if they administer those. A key that may not touch credentials approves nothing.
 */
export async function approveBySaving(
  context: Writing,
  caller: Caller,
  saved: ApprovedVersion,
): Promise<TransactionStep[]> {
  const needs = needsOf(saved.definition);
  if (needs.credentials.length === 0 || !caller.scopes.has("credentials:write")) return [];
  const owners: readonly CredentialOwner[] = mayDo(caller.role, "credentials:share")
    ? ["user", "workspace"]
    : ["user"];
  const before = saved.version === 1 ? [] : await findApprovals(context.db, caller, saved.id);
  return owners.flatMap((owner) => {
    const ownerId = ownerIdOf(caller, owner);
    const row = before.find(({ owner_user_id }) => owner_user_id === ownerId);
    const isKnown = row !== undefined && isNothing(beyond(needs, readNeeds(row.needs)));
    return isKnown ? [] : approval(context, caller, saved, { owner, how: "save" }).steps;
  });
}

/** An approval's row, and the steps that write it and its event. */
export function approval(
  context: Writing,
  caller: By,
  tool: ApprovedVersion,
  how: How,
): { row: ToolApprovalTable; steps: TransactionStep[] } {
  const row = approvalRow(context, caller, tool, how);
  return {
    row,
    steps: [putApproval(context.db, row), approvalEvent(context, caller, tool, how)],
  };
}

/**
 * Takes a person's first run of a tool for their consent to what that version asks of their own credentials.
 * Changes nothing where they ever approved or withdrew anything for the tool.
 */
export async function approveByRunning(
  context: Writing,
  caller: By,
  tool: ApprovedVersion,
): Promise<void> {
  const how = { owner: "user", how: "run" } as const;
  await context.db.transact([
    {
      query: putFirstApproval(context.db, approvalRow(context, caller, tool, how)),
      mustChange: true,
    },
    approvalEvent(context, caller, tool, how),
  ]);
}

/** The steps that withdraw an approval; undone when there is none. */
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

type How = { owner: CredentialOwner; how: "save" | "request" | "run" };

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

/** The step that records an approval. */
export function approvalEvent(
  context: Writing,
  caller: By,
  tool: ApprovedVersion,
  { owner, how, draft }: How & { draft?: true },
) {
  const { credentials, allowedHosts } = needsOf(tool.definition);
  return auditInsert(context, caller, {
    action: "tool.approve",
    target: tool.name,
    details: {
      version: tool.version,
      owner,
      how,
      ...(draft === undefined ? {} : { draft }),
      credentials: credentials.map(({ name }) => name).join(" "),
      hosts: [...new Set([...credentials.flatMap(({ hosts }) => hosts), ...allowedHosts])].join(
        " ",
      ),
    },
  });
}
