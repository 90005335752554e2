import { toolNamePattern } from "@toolhost/contract";
import type {
  ApproveToolInput,
  CredentialOwner,
  ToolApproval,
  ToolApprovals,
} from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { ApprovalRow } from "../approvals/approval-store.ts";
import { approval, checkMayApprove, ownerIdOf, withdrawalSteps } from "../approvals/approve.ts";
import { approvedFor, subtractNeeds, hasNoNeeds, needsOf, readNeeds } from "../approvals/needs.ts";
import { findApprovals, findCodeHash } from "../approvals/approval-store.ts";
import type { AuthoringContext } from "../context.ts";
import { commitWrite, lostKey, ServiceError } from "#core/kernel";
import type { TransactionStep } from "#db";
import { toTimestamp } from "#lib/clock";
import { findToolRecord } from "./get-tool.ts";
import { lockUsedVersion } from "./lock-used-version.ts";
import { findPublisher, removeBidiControls } from "./find-publisher.ts";
import { findTool } from "./tool-store.ts";
import { toRecord } from "./tool.ts";
import type { ToolRecord } from "./tool.ts";

/** What the version in use needs, and what the caller and the workspace have approved. Throws `tool_not_found`. */
export async function getApprovals(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<ToolApprovals> {
  const record = await findToolRecord(context, caller, name);
  const tool = await describe(context, caller, record);
  const codeHash = await findCodeHash(context.db, record);
  const rows = await findApprovals(context.db, caller, record.id);
  return present(tool, { ...record, codeHash }, caller, rows);
}

/**
 * Approves what the live version needs of the caller's credentials, or of the workspace's; `also` is written in the same
 * transaction. Throws `version_not_live` if the given version is not live, `forbidden`, and `unavailable` if a step of
 * `also` no longer applies.
 */
export async function approveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  { version, owner }: ApproveToolInput,
  also: readonly TransactionStep[] = [],
): Promise<ToolApprovals> {
  checkMayApprove(caller, owner);
  const record = await findToolRecord(context, caller, name);
  if (record.version !== version) throw notLive(version, record.version);
  const rows = await findApprovals(context.db, caller, record.id);
  const { row, steps } = approval(context, caller, record, owner);
  const others = rows.filter(({ owner_user_id }) => owner_user_id !== row.owner_user_id);
  const tool = await describe(context, caller, record);
  const codeHash = await findCodeHash(context.db, record);
  const after = present(tool, { ...record, codeHash }, caller, [
    ...others,
    { ...row, approved_code: codeHash },
  ]);
  const isApproved = await commitWrite(context, caller, after, [
    { query: lockUsedVersion(context.db, caller, record), mustChange: true },
    ...steps,
    ...also,
  ]);
  if (isApproved) return after;
  const live = (await findToolRecord(context, caller, name)).version;
  throw live === version ? lostKey() : notLive(version, live);
}

type PlannedApproval = { tool: string; version: number; owner: CredentialOwner };

/**
 * The steps that approve a version together with another change, such as saving the credential that it needs. The
 * transaction rolls back if the version is no longer live. Undefined if another version is live, or the caller may not
 * see the tool. Throws `forbidden`.
 */
export async function planApproval(
  context: AuthoringContext,
  caller: Caller,
  { tool: name, version, owner }: PlannedApproval,
): Promise<TransactionStep[] | undefined> {
  checkMayApprove(caller, owner);
  const row = toolNamePattern.test(name) ? await findTool(context.db, caller, name) : undefined;
  if (row === undefined || row.version !== version) return undefined;
  const record = toRecord(row);
  const { steps } = approval(context, caller, record, owner);
  return [{ query: lockUsedVersion(context.db, caller, record), mustChange: true }, ...steps];
}

/**
 * Withdraws an approval: runs that have not started no longer get these credentials. Running the tool does not restore
 * it. Throws `not_found` if none exists, and `forbidden`.
 */
export async function withdrawApproval(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  owner: CredentialOwner,
): Promise<void> {
  checkMayApprove(caller, owner);
  const record = await findToolRecord(context, caller, name);
  const steps = withdrawalSteps(context, caller, record, owner);
  if (await commitWrite(context, caller, null, steps)) return;
  throw new ServiceError("not_found", `The tool ${name} has no approval to withdraw.`);
}

/** The identity of the tool, shown to the user who approves it. */
async function describe(
  { db }: AuthoringContext,
  caller: Caller,
  { name, title, ownerUserId, workspaceId: id }: ToolRecord,
): Promise<ToolApprovals["tool"]> {
  const { author, workspace } = await findPublisher(db, { ownerUserId, workspaceId: id });
  const isOwn = id === caller.workspaceId;
  return {
    name,
    title: removeBidiControls(title),
    author: removeBidiControls(author),
    workspace: { id, name: removeBidiControls(workspace), isOwn },
  };
}

function present(
  tool: ToolApprovals["tool"],
  { version, definition, codeHash }: ToolRecord & { codeHash: string },
  caller: Caller,
  rows: readonly ApprovalRow[],
): ToolApprovals {
  const requested = needsOf(definition);
  const approvals = (["user", "workspace"] as const).map((owner): ToolApproval => {
    const row = rows.find(({ owner_user_id }) => owner_user_id === ownerIdOf(caller, owner));
    const approved = row === undefined ? undefined : readNeeds(row.needs);
    const more = subtractNeeds(requested, approvedFor(codeHash, row));
    return {
      owner,
      covered: requested.credentials.length === 0 || hasNoNeeds(more),
      approved: approved ?? null,
      new: more,
      version: row?.version ?? null,
      how: (row?.how as ToolApproval["how"] | undefined) ?? null,
      by: row?.by_user_id ?? null,
      at: row === undefined ? null : toTimestamp(row.at),
    };
  });
  return { tool, version, requested, approvals };
}

function notLive(version: number, live: number): ServiceError {
  return new ServiceError(
    "version_not_live",
    `Version ${version} is not the live version. Review version ${live} and approve that.`,
  );
}
