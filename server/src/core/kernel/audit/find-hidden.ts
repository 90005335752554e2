import { sql } from "kysely";
import { findHiddenRuns, othersPrivateTools } from "../run-visibility.ts";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";

/**
 * Which of the events are about something that the viewer may not see: others' drafts, private tools and private runs, also
 * when the tool was shared at that time and is private now. What they did themselves they always see.
 */
export async function findHidden(
  db: Database,
  viewer: RunViewer,
  rows: readonly AuditEventTable[],
): Promise<Set<string>> {
  const others = rows.filter((row) => row.user_id !== viewer.userId);
  const abouts = others.map((row) => ({ row, ...aboutOf(row) }));
  const [tools, runs] = await Promise.all([
    findPrivateNames(
      db,
      viewer,
      abouts.flatMap(({ toolName }) => toolName ?? []),
    ),
    findHiddenRuns(
      db,
      viewer,
      abouts.flatMap(({ runId }) => runId ?? []),
    ),
  ]);
  const hidden = abouts.filter(
    ({ row, toolName = "", runId = "" }) =>
      (row.private_to !== null && row.private_to !== viewer.userId) ||
      tools.has(toolName) ||
      runs.has(runId),
  );
  return new Set(hidden.map(({ row }) => row.id));
}

const isText = (value: unknown) => typeof value === "string";

/** The tool and the run that an event is about, as far as it says so. */
function aboutOf({ action, target, details }: AuditEventTable): {
  toolName?: string | undefined;
  runId?: string | undefined;
} {
  const { toolName, runId } = JSON.parse(details) as { toolName?: unknown; runId?: unknown };
  return {
    toolName: action.startsWith("tool.") ? target : isText(toolName) ? toolName : undefined,
    runId: action === "run.cancel" ? target : isText(runId) ? runId : undefined,
  };
}

async function findPrivateNames(
  db: Database,
  viewer: RunViewer,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.kysely
    .selectFrom("tools")
    .select("name")
    .where("name", "in", [...new Set(names)])
    .where(sql<boolean>`name in (${othersPrivateTools(viewer, "name")})`)
    .execute();
  return new Set(rows.map(({ name }) => name));
}
