import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps, sumCapSteps } from "#core/limits";
import type { AuthoringContext } from "../context.ts";
import type { TransactionStep } from "#db";
import { isPinned } from "./install-store.ts";

type CapContext = Pick<AuthoringContext, "config" | "db">;

/** Throws `quota_exceeded` when the workspace has as many tools as it may. Archived tools do not count. */
export function capTools(context: CapContext, workspaceId: string): TransactionStep[] {
  return capSteps(context, "tools", {
    subject: workspaceId,
    existing: sql`select 1 from tools where workspace_id = ${workspaceId} and archived_at is null`,
  });
}

/** Throws `quota_exceeded` when the workspace has as many other installed tools as it may. */
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
 * What needs an old version: each condition names one reason to keep it. A version that any of them names is
 * never pruned, so a tool may have more versions than the setting says.
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
 * Undoes a save with `quota_exceeded` when the workspace's versions have too many bytes, those of archived tools
 * included. Comes after the new version is written and old ones are deleted.
 */
export function capToolBytes(context: CapContext, toolId: string): TransactionStep[] {
  return sumCapSteps(context, "tool-bytes", {
    // Each save has changed the workspace's row by now (`countChange`), so that the others wait for it.
    subject: undefined,
    used: sql`select coalesce(sum(size), 0) from tool_versions
      where workspace_id = (select workspace_id from tools where id = ${toolId})`,
    added: 0,
  });
}

/**
 * Deletes the oldest versions beyond `TOOL_MAX_VERSIONS` that nothing needs; `newest` is the one just saved. Then
 * checks the workspace's bytes, as {@link capToolBytes} does.
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
 * Undoes a save or a build of a draft with `quota_exceeded` when the workspace's drafts and builds have too many bytes.
 * Comes after what it checks, and after all other locks of the transaction.
 */
export function capDraftBytes(context: CapContext, workspaceId: string): TransactionStep[] {
  return sumCapSteps(context, "draft-bytes", {
    subject: workspaceId,
    // Neither database reads a long text for its length.
    used: sql`select coalesce(sum(bytes), 0) from (
      select octet_length(title) + octet_length(definition) as bytes
      from drafts where workspace_id = ${workspaceId}
      union all
      select octet_length(definition) + octet_length(source) + octet_length(bundle) + octet_length(source_map) as bytes
      from draft_versions where workspace_id = ${workspaceId}
    ) as stored`,
    added: 0,
  });
}

/** Deletes the oldest builds of a draft beyond `DRAFT_MAX_BUILDS` that no run is under way with. */
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
