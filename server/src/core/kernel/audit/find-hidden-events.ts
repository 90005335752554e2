import { sql } from "kysely";
import { findHiddenRuns, othersPrivateTools } from "../run-visibility.ts";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";
import { parseStored } from "./stored-json.ts";

/**
 * The IDs of the events about objects that the viewer may not see: drafts, private tools and private runs of others,
 * even if the tool was shared when the event occurred. Users always see their own actions.
 */
export async function findHiddenEvents(
  db: Database,
  viewer: RunViewer,
  rows: readonly AuditEventTable[],
): Promise<Set<string>> {
  const others = rows.filter((row) => row.user_id !== viewer.userId);
  const subjects = others.map((row) => ({ row, ...subjectOf(row) }));
  const [tools, runs] = await Promise.all([
    findPrivateNames(
      db,
      viewer,
      subjects.flatMap(({ toolName }) => toolName ?? []),
    ),
    findHiddenRuns(
      db,
      viewer,
      subjects.flatMap(({ runId }) => runId ?? []),
    ),
  ]);
  const hidden = subjects.filter(
    ({ row, toolName = "", runId = "" }) =>
      (row.private_to !== null && row.private_to !== viewer.userId) ||
      tools.has(toolName) ||
      runs.has(runId),
  );
  return new Set(hidden.map(({ row }) => row.id));
}

const isText = (value: unknown) => typeof value === "string";

/** The tool and the run that an event is about, if any. */
function subjectOf({ action, target, details }: AuditEventTable): {
  toolName?: string | undefined;
  runId?: string | undefined;
} {
  const { toolName, runId } = parseStored(details);
  return {
    toolName: action.startsWith("tool.") ? target : isText(toolName) ? toolName : undefined,
    runId:
      action === "run.cancel" || action === "run.answer"
        ? target
        : isText(runId)
          ? runId
          : undefined,
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
