import { maxCounted } from "@toolhost/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { RunViewer } from "../run-visibility.ts";
import { isAbout } from "./event-text.ts";
import { findHiddenEvents } from "./find-hidden-events.ts";
import { countRunEvents, listRunEvents } from "./list-run-events.ts";
import type { AuditFilter, Counted, Found, Page } from "./audit-filter.ts";
import type { AuditEventTable, Database } from "#db";
import { idsOfPage, indexRange } from "#db";
import { idFloor } from "#lib/ids";

/** An event's ID is created slightly later than the event's time. */
const idDelayMs = 60_000;

/** How many events a page scans for a text. */
const maxScanned = 20_000;

/** How many found events are checked for hidden ones with one statement. */
const minBatchSize = 200;

/**
 * A workspace's events, newest first by default. Where no index finds what a filter matches, a page scans a limited number of
 * events. A filter by a tool's name matches no events that are private to another user, because it must not reveal that they exist.
 */
export async function listEvents(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  page: Page,
  scanLimit = maxScanned,
): Promise<Found> {
  const found = await Promise.all([
    listRows(db, viewer, filter, page, scanLimit),
    listRunEvents(db, viewer, { filter, page, range: idsOf(filter, page), scanLimit }),
  ]);
  const isBefore = (one: string, other: string) =>
    page.sort === "oldest" ? one < other : one > other;
  // What was not read to its end is complete up to this ID.
  const endOf = ({ rows, scannedTo }: Found) =>
    scannedTo ?? (rows.length === page.limit ? rows.at(-1)?.id : undefined);
  const [cutAt] = found
    .flatMap((each) => endOf(each) ?? [])
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
  const rows = found
    .flatMap((each) => each.rows)
    .filter(({ id }) => cutAt === undefined || id === cutAt || isBefore(id, cutAt))
    .toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1))
    .slice(0, page.limit);
  return { rows, scannedTo: rows.length === page.limit ? undefined : cutAt };
}

/** The events with a row of their own. */
async function listRows(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  page: Page,
  scanLimit: number,
): Promise<Found> {
  const ordered = filteredEvents(db, viewer, filter, page);
  const { q } = filter;
  if (q === undefined || q === "") {
    return { rows: await ordered.limit(page.limit).execute(), scannedTo: undefined };
  }
  const scanned = db.kysely.selectFrom(ordered.limit(scanLimit).as("events")).selectAll();
  const found = scanned.where(isAbout(viewer, q));
  const rows = await findShown(db, viewer, page, ({ after, limit }) => {
    const isOldestFirst = page.sort === "oldest";
    const rest = after === undefined ? found : found.where("id", isOldestFirst ? ">" : "<", after);
    return rest
      .orderBy("id", isOldestFirst ? "asc" : "desc")
      .limit(limit)
      .execute();
  });
  if (rows.length === page.limit) return { rows, scannedTo: undefined };
  const edge = ordered.offset(scanLimit - 1).limit(1);
  return { rows, scannedTo: (await edge.executeTakeFirst())?.id };
}

type Read = (range: { after: string | undefined; limit: number }) => Promise<AuditEventTable[]>;

/** A page of found events without the hidden ones, so that its length and its end reveal nothing about them. */
async function findShown(
  db: Database,
  viewer: RunViewer,
  { limit }: Page,
  read: Read,
): Promise<AuditEventTable[]> {
  const shown: AuditEventTable[] = [];
  const batchSize = Math.max(limit, minBatchSize);
  let after: string | undefined;
  for (;;) {
    const batch = await read({ after, limit: batchSize });
    const hidden = await findHiddenEvents(db, viewer, batch);
    shown.push(...batch.filter(({ id }) => !hidden.has(id)));
    if (shown.length >= limit || batch.length < batchSize) return shown.slice(0, limit);
    after = batch.at(-1)?.id;
  }
}

/** How many events match, up to a limit. Neither a text nor a target is considered. */
export async function countEvents(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  max = maxCounted,
): Promise<Counted> {
  const counted = await Promise.all([
    countRows(db, viewer, filter, max),
    countRunEvents(db, viewer, {
      filter,
      range: idsOf(filter, { after: undefined }),
      max,
      scanLimit: maxScanned,
    }),
  ]);
  const count = counted.reduce((sum, each) => sum + each.count, 0);
  return {
    count: Math.min(count, max),
    isExact: count <= max && counted.every(({ isExact }) => isExact),
  };
}

/** The number of events with a row of their own. */
async function countRows(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  max: number,
): Promise<Counted> {
  const ordered = filteredEvents(db, viewer, filter, { after: undefined });
  const found = await db.kysely
    .selectFrom(
      ordered
        .clearSelect()
        .select("id")
        .limit(max + 1)
        .as("events"),
    )
    .select(sql<number | string>`count(*)`.as("count"))
    .executeTakeFirstOrThrow();
  const count = Number(found.count);
  return { count: Math.min(count, max), isExact: count <= max };
}

/** The events that match all filters but the text, in order. */
function filteredEvents(
  db: Database,
  { workspaceId, userId }: RunViewer,
  filter: AuditFilter,
  page: Pick<Page, "after" | "sort">,
) {
  const { actor, action, target, since, until } = filter;
  const columns = columnsOf(workspaceId, filter);
  const { isWithin, newestFirst, oldestFirst } = indexRange(db, {
    columns,
    ...idsOf(filter, page),
  });
  let query = db.kysely.selectFrom("audit_events").selectAll().where(isWithin);
  // Not a plain column, because SQLite would then use an index of all events of the workspace.
  if (target !== undefined) {
    query = query.where(sql`workspace_id || ''`, "=", workspaceId)
      .where(sql<boolean>`(action not like 'tool.%' or private_to is null
          or private_to = ${userId} or user_id = ${userId})`);
  }
  if (actor !== undefined && !("user_id" in columns)) query = query.where("user_id", "=", actor);
  if (action !== undefined && !("action" in columns)) query = query.where("action", "=", action);
  // Repeats the condition of the partial index exactly; otherwise the index is not used.
  if ("action" in columns) query = query.where(sql<boolean>`action <> 'run.create'`);
  if (since !== undefined || until !== undefined) {
    query = query.where(isAtWithin(since ?? 0, until ?? Number.MAX_SAFE_INTEGER));
  }
  return query.orderBy(page.sort === "oldest" ? oldestFirst : newestFirst);
}

/** The leading columns of the most selective index: by target, else by an action other than `run.create`. */
function columnsOf(
  workspaceId: string,
  { actor, action, target }: AuditFilter,
): Record<string, string> {
  if (target !== undefined) return { target };
  // Nearly all events are created by runs.
  if (action !== undefined && action !== "run.create") return { workspace_id: workspaceId, action };
  if (actor !== undefined) return { workspace_id: workspaceId, user_id: actor };
  return { workspace_id: workspaceId };
}

/**
 * Wrapped in `coalesce`, because PostgreSQL would otherwise multiply the selectivities of the ID range and of the time
 * range, expect almost no rows, and read and sort the events of all workspaces in that time.
 */
function isAtWithin(since: number, until: number): RawBuilder<boolean> {
  return sql`coalesce(at >= ${since} and at <= ${until}, false)`;
}

/** The range of IDs that may match the time range and the cursor. IDs sort by time. */
function idsOf({ since, until }: AuditFilter, page: Pick<Page, "after" | "sort">) {
  return idsOfPage(page, {
    from: since === undefined ? undefined : idFloor(since - idDelayMs),
    before: until === undefined ? undefined : idFloor(until + idDelayMs),
  });
}
