import type { AuditEvent } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";
import { toTimestamp } from "#lib/clock";
import { findToolTitles } from "../tool-titles.ts";
import { toolOf } from "./event-names.ts";
import { findHiddenEvents } from "./find-hidden-events.ts";
import type { AuditFilter, Page } from "./audit-filter.ts";
import { countEvents, listEvents } from "./list-store.ts";
import { parseStored } from "./stored-json.ts";

/**
 * Lists the workspace's audit log, newest first by default. Events about objects that the caller may not see show only who did what
 * kind of action. The name of a hidden tool matches nothing.
 */
export async function listAuditEvents(
  context: NodeContext,
  caller: Caller,
  filter: AuditFilter,
  page: Page,
): Promise<{ events: AuditEvent[]; next: string | undefined }> {
  const { events, next } = await readEvents(context.db, caller, filter, page);
  return { events: await withToolTitles(context.db, caller, events), next };
}

/** The events, with the titles of the tools that they are about. */
async function withToolTitles(
  db: Database,
  viewer: RunViewer,
  events: readonly AuditEvent[],
): Promise<AuditEvent[]> {
  const named = events.map((event) => ({
    event,
    name: event.hidden === true ? undefined : toolOf(event),
  }));
  const titles = await findToolTitles(
    db,
    viewer,
    named.flatMap(({ name }) => name ?? []),
  );
  return named.map(({ event, name = "" }) => {
    const toolTitle = titles.get(name);
    return toolTitle === undefined ? event : { ...event, toolTitle };
  });
}

/** Counts the events of a list, except with a filter whose number of matches would reveal hidden names. */
export async function countAuditEvents(
  { db }: NodeContext,
  caller: Caller,
  filter: AuditFilter,
): Promise<{ count: number; isExact: boolean } | undefined> {
  const { q = "", target } = filter;
  return q === "" && target === undefined ? countEvents(db, caller, filter) : undefined;
}

/** A page of events for a viewer, and the cursor of the next page. */
export async function readEvents(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  page: Page,
): Promise<{ events: AuditEvent[]; next: string | undefined }> {
  const { rows, scannedTo } = await listEvents(db, viewer, filter, {
    ...page,
    limit: page.limit + 1,
  });
  const read = rows.slice(0, page.limit);
  const hidden = await findHiddenEvents(db, viewer, read);
  const hasText = filter.q !== undefined && filter.q !== "";
  // What is hidden must not be found by its content.
  const isFound = (row: AuditEventTable) =>
    !hidden.has(row.id) || (!hasText && (filter.target === undefined || !isName(row)));
  const shown = read.filter((row) => isFound(row));
  return {
    events: shown.map((row) => (hidden.has(row.id) ? presentHidden(row) : presentEvent(row))),
    next: rows.length > page.limit ? read.at(-1)?.id : scannedTo,
  };
}

/** Details that a hidden event may still show: IDs, which cannot be guessed, and whether it is about a draft. */
const opaqueDetails = ["draft", "draftId", "runId", "parentRunId"] as const;

/**
 * An event without data that reveals a hidden object. It also omits the request ID: as that cannot be guessed, the hash
 * cannot be used to confirm a guess of the other fields.
 */
function presentHidden(row: AuditEventTable): AuditEvent {
  const event = presentEvent(row);
  const { outcome, details } = event;
  const isExpected = outcome === "success" || outcome === "cancelled";
  return {
    ...event,
    target: isName(row) ? "" : row.target,
    outcome: isExpected ? outcome : "failure",
    requestId: null,
    details: Object.fromEntries(
      opaqueDetails.flatMap((name) => {
        const value = details[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    hidden: true,
  };
}

/** Whether the target is a tool's name, which contains its title. All other targets are IDs. */
function isName({ action, target }: AuditEventTable): boolean {
  return action.startsWith("tool.") && !target.startsWith("draft-");
}

function presentEvent(row: AuditEventTable): AuditEvent {
  return {
    id: row.id,
    at: toTimestamp(row.at),
    workspaceId: row.workspace_id,
    actor: { userId: null, ...parseStored(row.actor) },
    via: row.via as AuditEvent["via"],
    action: row.action,
    target: row.target,
    outcome: row.outcome,
    requestId: row.request_id,
    ip: row.ip,
    details: parseStored(row.details) as AuditEvent["details"],
    sequence: row.sequence,
    hash: row.hash,
  };
}
