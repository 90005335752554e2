import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps, sumCapSteps } from "#core/limits";
import type { AuthoringContext } from "../context.ts";
import type { TransactionStep } from "#db";
import { isPinned } from "./install-store.ts";

type CapContext = Pick<AuthoringContext, "config" | "db">;

/** Throws `quota_exceeded` if the workspace has reached its number of tools. Archived tools do not count. */
export function capTools(context: CapContext, workspaceId: string): TransactionStep[] {
  return capSteps(context, "tools", {
    subject: workspaceId,
    existing: sql`select 1 from tools where workspace_id = ${workspaceId} and archived_at is null`,
  });
}

/** Throws `quota_exceeded` if the workspace has reached its number of installed tools, not counting this one. */
export function capInstalls(
  context: CapContext,
  { workspaceId, toolId }: { workspaceId: string; toolId: string },
): TransactionStep[] {
  return capSteps(context, "installed-tools", {
    subject: workspaceId,
    existing: sql`select 1 from tool_installs
      where workspace_id = ${workspaceId} and tool_id <> ${toolId}`,
  });
}

/**
 * Reasons to retain an old version. A version that matches one of them is never pruned, so a tool may have more versions
 * than `TOOL_MAX_VERSIONS`.
 */
const versionIsNeeded = sql.join(
  [
    sql`exists (select 1 from tools where tools.id = tool_versions.tool_id
      and tools.live_version = tool_versions.version)`,
    sql`exists (select 1 from runs where runs.status = 'running'
      and runs.tool_id = tool_versions.tool_id and runs.tool_version = tool_versions.version)`,
    sql`exists (select 1 from tool_approvals where tool_approvals.tool_id = tool_versions.tool_id
      and tool_approvals.version = tool_versions.version)`,
    sql`exists (select 1 from drafts where drafts.tool_id = tool_versions.tool_id
      and drafts.base_version = tool_versions.version)`,
    isPinned,
  ],
  sql` or `,
);

/**
 * Rolls back a save with `quota_exceeded` if the workspace's versions, including those of archived tools, have too many
 * bytes. Must follow the steps that write the new version and delete old ones.
 */
export function capToolBytes(context: CapContext, toolId: string): TransactionStep[] {
  return sumCapSteps(context, "tool-bytes", {
    // No lock: an earlier step (`countChange`) locks the row of the workspace, so that concurrent saves wait.
    subject: undefined,
    used: sql`select coalesce(sum(size), 0) from tool_versions
      where workspace_id = (select workspace_id from tools where id = ${toolId})`,
    added: 0,
  });
}

/**
 * Deletes the oldest versions beyond `TOOL_MAX_VERSIONS` that nothing needs, where `newest` was just saved. Then checks
 * the bytes of the workspace, as {@link capToolBytes} does.
 */
export function pruneVersions(
  context: CapContext,
  { toolId, newest }: { toolId: string; newest: number },
): TransactionStep[] {
  const { config, db } = context;
  const cap = capToolBytes(context, toolId);
  const kept = config.TOOL_MAX_VERSIONS;
  if (kept === 0 || newest <= kept) return cap;
  const query = sql`delete from tool_versions
    where tool_id = ${toolId} and version <= ${newest - kept} and not (${versionIsNeeded})`;
  return [query.compile(db.kysely), ...cap];
}

/**
 * Rolls back a save or a build of a draft with `quota_exceeded` if the workspace's drafts and builds have too many bytes.
 * Must follow the steps that it checks, and all other locks of the transaction.
 */
export function capDraftBytes(context: CapContext, workspaceId: string): TransactionStep[] {
  return sumCapSteps(context, "draft-bytes", {
    subject: workspaceId,
    // Neither database has to read a long text to return its length.
    used: sql`select coalesce(sum(bytes), 0) from (
      select octet_length(title) + octet_length(definition) + coalesce(octet_length(generated), 0) as bytes
      from drafts where workspace_id = ${workspaceId}
      union all
      select octet_length(definition) + octet_length(source) + octet_length(bundle) + octet_length(source_map) as bytes
      from draft_versions where workspace_id = ${workspaceId}
    ) as stored`,
    added: 0,
  });
}

/** Deletes the oldest builds of a draft beyond `DRAFT_MAX_BUILDS` that no unfinished run uses. */
export function pruneBuilds(
  { config, db }: CapContext,
  { draftId, newest }: { draftId: string; newest: number },
): CompiledQuery[] {
  const kept = config.DRAFT_MAX_BUILDS;
  if (kept === 0 || newest <= kept) return [];
  const query = sql`delete from draft_versions
    where draft_id = ${draftId} and version <= ${newest - kept}
      and not exists (select 1 from runs where runs.status = 'running'
        and runs.tool_id = draft_versions.draft_id
        and runs.tool_version = draft_versions.version)`;
  return [query.compile(db.kysely)];
}
