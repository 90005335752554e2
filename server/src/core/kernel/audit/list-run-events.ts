import { othersPrivateTools } from "../run-visibility.ts";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { idFloor, isId, timeOfId } from "#lib/ids";
import type { AuditFilter, Counted, Found, Page } from "./audit-filter.ts";
import { findUnsealedRunEvents } from "./unsealed-store.ts";
import type { IdRange } from "./unsealed-store.ts";
import { findMergedSequence } from "./merge-store.ts";
import { membersAbout } from "./event-text.ts";
import { findSpans, streamRunEvents, withEvents } from "./run-event-stream.ts";
import type { Span } from "./run-event-stream.ts";
import { parseStored } from "./stored-json.ts";

type List = { filter: AuditFilter; page: Page; range: IdRange; scanLimit: number };

const hourMs = 3_600_000;
/** The event of a run has nearly the time at which the run ended. */
const eventDelayMs = 60_000;
/** Most runs end within this time, also those of batches. */
const maxRunMs = 48 * hourMs;
/** Other work gets a turn after this many events. */
const eventsPerTurn = 500;
/** How long one request looks through events. In a quiet workspace each one may be in a segment of its own. */
const maxScanMs = 1_000;

/** The events of runs without a row of their own, in the form of {@link Found}: they are filtered here, since no index has them. */
export async function listRunEvents(db: Database, viewer: RunViewer, list: List): Promise<Found> {
  if (!mayMatchRuns(list.filter)) return nothing;
  return readUnmerged(db, viewer, (maxMs) => readRunEvents(db, viewer, list, maxMs));
}

/** Reads again if segments were merged meanwhile, since events may be missing or repeated. Each attempt takes less time. */
async function readUnmerged<Result>(
  db: Database,
  { workspaceId }: RunViewer,
  read: (maxMs: number) => Promise<Result>,
): Promise<Result> {
  let before = await findMergedSequence(db, workspaceId);
  for (let maxMs = maxScanMs; ; maxMs /= 4) {
    const result = await read(maxMs);
    const after = await findMergedSequence(db, workspaceId);
    if (after === before) return result;
    before = after;
  }
}

async function readRunEvents(
  db: Database,
  viewer: RunViewer,
  { filter, page, range, scanLimit }: List,
  maxMs: number,
): Promise<Found> {
  const target = filter.target === undefined ? {} : await findRangeOfRun(db, viewer, filter.target);
  const matches = await createFilter(db, viewer, filter);
  const { events, cutAt } = await streamRunEvents(db, viewer.workspaceId, {
    range: intersect(range, target),
    order: page.sort ?? "newest",
    maxUnsealed: isPlain(filter) ? page.limit : Math.max(scanLimit, page.limit),
  });
  const rows: AuditEventTable[] = [];
  let scanned = 0;
  const deadline = performance.now() + maxMs;
  for await (const event of events) {
    scanned += 1;
    if (matches(event)) rows.push(event);
    if (rows.length === page.limit) return { rows, scannedTo: undefined };
    if (scanned === scanLimit || performance.now() > deadline) return { rows, scannedTo: event.id };
    if (scanned % eventsPerTurn === 0) await yieldToEventLoop();
  }
  return { rows, scannedTo: cutAt };
}

const nothing: Found = { rows: [], scannedTo: undefined };

/** Whether a filter can match the event of a run: its only action is `run.create`, and its target is a run. */
function mayMatchRuns({ action, target }: AuditFilter): boolean {
  return (
    (action === undefined || action === "run.create") && (target === undefined || isId(target))
  );
}

/** Whether a filter matches all events of runs. */
function isPlain({ actor, target, q, since, until }: AuditFilter): boolean {
  const values = [actor, target, q, since, until];
  return values.every((value) => value === undefined || value === "");
}

/** The IDs that the event of a run may have: from the time of its end if its row exists, else from the time in its ID. */
async function findRangeOfRun(
  db: Database,
  { workspaceId }: RunViewer,
  runId: string,
): Promise<IdRange> {
  const run = await db.kysely
    .selectFrom("runs")
    .select("finished_at")
    .where("id", "=", runId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  const endedAt = run?.finished_at ?? undefined;
  const [from, to] =
    endedAt === undefined ? [timeOfId(runId), timeOfId(runId) + maxRunMs] : [endedAt, endedAt];
  return { from: idFloor(from - eventDelayMs), before: idFloor(to + eventDelayMs) };
}

/** The IDs in both ranges. */
function intersect(one: IdRange, other: IdRange): IdRange {
  return {
    from: [one.from ?? "", other.from ?? ""].toSorted().at(-1),
    before: [one.before, other.before].flatMap((id) => id ?? []).toSorted()[0],
  };
}

type Matches = (event: AuditEventTable) => boolean;

async function createFilter(
  db: Database,
  viewer: RunViewer,
  { actor, target, q, since = 0, until = Number.MAX_SAFE_INTEGER }: AuditFilter,
): Promise<Matches> {
  const isAboutText =
    q === undefined || q === "" ? undefined : await createTextFilter(db, viewer, q);
  return (event) =>
    event.at >= since &&
    event.at <= until &&
    (actor === undefined || event.user_id === actor) &&
    (target === undefined || event.target === target) &&
    (isAboutText === undefined || isAboutText(event));
}

/** The same condition as `isAbout` in SQL, for events of runs: by their user, their run's ID and their details. */
async function createTextFilter(
  db: Database,
  { workspaceId, userId }: RunViewer,
  q: string,
): Promise<Matches> {
  const text = q.toLowerCase();
  const { rows } = await membersAbout(workspaceId, q).execute(db.kysely);
  const people = new Set(rows.map(({ id }) => id));
  const hidden = await findPrivateTools(db, { workspaceId, userId });
  const isHidden = (details: string) => {
    const { toolName } = parseStored(details);
    return typeof toolName === "string" && hidden.has(toolName);
  };
  return ({ private_to, user_id, target, details }) =>
    (user_id === userId ||
      ((private_to === null || private_to === userId) &&
        (hidden.size === 0 || !isHidden(details)))) &&
    ((user_id !== null && people.has(user_id)) ||
      [target, details].some((value) => value.toLowerCase().includes(text)));
}

/** The names of the tools whose runs are hidden, even if they were shared at the time of the run. */
async function findPrivateTools(db: Database, viewer: RunViewer): Promise<Set<string>> {
  const { rows } = await othersPrivateTools(viewer, "name").execute(db.kysely);
  return new Set(rows.map(({ name }) => name));
}

type Count = { filter: AuditFilter; range: IdRange; max: number; scanLimit: number };

/** The number of events of runs without a row of their own. Stops after `max`, and after so many events that it had to look at. */
export async function countRunEvents(
  db: Database,
  viewer: RunViewer,
  count: Count,
): Promise<Counted> {
  if (!mayMatchRuns(count.filter)) return { count: 0, isExact: true };
  return readUnmerged(db, viewer, (maxMs) => readCount(db, viewer, count, maxMs));
}

async function readCount(
  db: Database,
  viewer: RunViewer,
  { filter, range, max, scanLimit }: Count,
  maxMs: number,
): Promise<Counted> {
  const { workspaceId } = viewer;
  const matches = await createFilter(db, viewer, filter);
  const unsealed = await findUnsealedRunEvents(db, workspaceId, {
    range,
    order: "newest",
    limit: max + 1,
  });
  const deadline = performance.now() + maxMs;
  let count = unsealed.filter(matches).length;
  let scanned = unsealed.length;
  const isCounted = (span: Span) => filter.actor === undefined && isWhole(span, filter);
  // Of most segments, the number is enough.
  async function* toRead() {
    for await (const span of findSpans(db, workspaceId, range, "newest")) {
      if (count > max) return;
      if (isCounted(span)) count += span.event_count;
      else yield span;
    }
  }
  for await (const { events } of withEvents(db, toRead())) {
    count += events.filter(matches).length;
    scanned += events.length;
    const isOver = scanned > scanLimit || performance.now() > deadline;
    if (count > max || isOver) return { count, isExact: false };
  }
  return { count, isExact: count <= max };
}

/** Whether all events of a segment are within the times of a filter. */
function isWhole({ first_at, last_at }: Span, { since = 0, until = Infinity }: AuditFilter) {
  return first_at >= since && last_at <= until;
}
