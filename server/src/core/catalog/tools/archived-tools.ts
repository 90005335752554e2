import type { ArchivedTool } from "@toolhost/contract";
import { toolNamePattern } from "@toolhost/contract";
import { sql } from "kysely";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, notFound, ServiceError } from "#core/kernel";
import { forgetAlwaysAllowed } from "../approvals/always-allow-store.ts";
import type { AuthoringContext } from "../context.ts";
import type { TransactionStep } from "#db";
import { toTimestamp } from "#lib/clock";
import { cutPage } from "#lib/page";
import { checkMayWithdraw } from "./tool-rights.ts";
import { countChange, isOwn } from "./tool-store.ts";
import type { Viewer } from "./tool-store.ts";
import { readPublishedFrom } from "./tool.ts";
import type { ToolRecord } from "./tool.ts";

/** A page of the workspace's archived tools whose code is still stored, newest first, without other users' private tools. */
export async function getArchivedTools(
  context: Pick<AuthoringContext, "db">,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<{ tools: ArchivedTool[]; next: string | undefined }> {
  let query = archivedTools(context, caller);
  if (page.after !== undefined) query = query.where("tools.id", "<", page.after);
  const rows = await query
    .orderBy("tools.id", "desc")
    .limit(page.limit + 1)
    .execute();
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  const tools = shown.map((row) => {
    const publishedFrom = readPublishedFrom(row);
    return {
      name: row.name,
      title: row.title,
      visibility: row.visibility as ArchivedTool["visibility"],
      bytes: row.bytes,
      createdAt: toTimestamp(row.created_at),
      archivedAt: toTimestamp(row.archived_at ?? 0),
      ...(row.owner_user_id === caller.userId ? { mine: true } : {}),
      ...(publishedFrom === undefined ? {} : { publishedFrom }),
    };
  });
  return { tools, next };
}

/**
 * Permanently deletes the versions and approvals of an archived tool. Its run records remain, and its name is never
 * reused. Throws `tool_not_found`, `forbidden`, and `tool_in_use` while it has unfinished runs.
 */
export async function deleteArchivedTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  const row = await findArchivedTool(context, caller, name);
  const { workspace_id: workspaceId } = row;
  const isDeleted = await commitWrite(context, caller, null, [
    // Locks the workspace, so that the tool is not restored meanwhile.
    countChange(context.db, workspaceId),
    refuseInUse(context, row.id),
    { query: deleteVersions(context, row.id), mustChange: true },
    context.db.kysely.deleteFrom("tool_approvals").where("tool_id", "=", row.id).compile(),
    forgetAlwaysAllowed(context.db, row.id),
    context.db.kysely.deleteFrom("tool_imports").where("tool_id", "=", row.id).compile(),
    auditInsert(context, caller, {
      action: "tool.delete",
      target: name,
      details: { bytes: row.bytes },
    }),
  ]);
  if (!isDeleted) throw lostKey();
}

/** An archived tool that the caller may delete or restore. Throws `tool_not_found`, `forbidden`. */
export async function findArchivedTool(
  context: Pick<AuthoringContext, "db">,
  caller: Caller,
  name: string,
) {
  const row = toolNamePattern.test(name)
    ? await archivedTools(context, caller).where("tools.name", "=", name).executeTakeFirst()
    : undefined;
  if (row === undefined) throw notFound("tool_not_found", "archived tool", { name });
  const { workspace_id: workspaceId, owner_user_id: ownerUserId } = row;
  const visibility = row.visibility as ToolRecord["visibility"];
  checkMayWithdraw(caller, { workspaceId, ownerUserId, visibility });
  return row;
}

function archivedTools({ db }: Pick<AuthoringContext, "db">, { workspaceId, userId }: Viewer) {
  return db.kysely
    .selectFrom("tools")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .select([
      "tools.id",
      "tools.workspace_id",
      "tools.owner_user_id",
      "tools.name",
      "tools.visibility",
      "tools.created_at",
      "tools.archived_at",
      "tools.archived_by",
      "tools.published_from",
      "tool_versions.title",
      sql<number>`(select cast(sum(size) as bigint) from tool_versions as stored
        where stored.tool_id = tools.id)`.as("bytes"),
    ])
    .where(isOwn(workspaceId, userId))
    .where("tools.archived_at", "is not", null);
}

/** A queued run still needs the code. */
function refuseInUse({ db }: Pick<AuthoringContext, "db">, toolId: string): TransactionStep {
  return {
    query: sql`select 1 where not exists (select 1 from runs
      where runs.status = 'running' and runs.tool_id = ${toolId})`.compile(db.kysely),
    mustChange: true,
    refusal: () =>
      new ServiceError(
        "tool_in_use",
        "This tool has queued or running runs. Cancel them, or wait until they have finished.",
      ),
  };
}

function deleteVersions({ db }: Pick<AuthoringContext, "db">, toolId: string) {
  return db.kysely
    .deleteFrom("tool_versions")
    .where("tool_id", "=", toolId)
    .where("tool_id", "in", (from) =>
      from.selectFrom("tools").select("id").where("archived_at", "is not", null),
    )
    .compile();
}
