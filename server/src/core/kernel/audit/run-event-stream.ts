import type { AuditEventTable, AuditSegmentTable, Database } from "#db";
import { isDescribed, unpackSegment } from "./audit-segment.ts";
import { afterAllIds, findUnsealedRunEvents } from "./unsealed-store.ts";
import type { IdRange, Order } from "./unsealed-store.ts";

type StreamOptions = { range: IdRange; order: Order; maxUnsealed: number };

/** What a segment contains, without its events. */
export type Span = Omit<AuditSegmentTable, "body">;

const segmentsPerPage = 100;
/** About how many events one statement reads. */
const eventsPerRead = 250;

/**
 * Streams the events of a workspace's runs in the order of their IDs: those that are not sealed yet, and those in segments. The
 * stream ends early, with `cutAt` set to the last ID that it covers, if there are `maxUnsealed` unsealed events or more.
 */
export async function streamRunEvents(
  db: Database,
  workspaceId: string,
  { range, order, maxUnsealed }: StreamOptions,
): Promise<{ events: AsyncGenerator<AuditEventTable>; cutAt: string | undefined }> {
  // Read before the segments: an event that is sealed in between is then found twice, and not missed.
  const unsealed = await findUnsealedRunEvents(db, workspaceId, {
    range,
    order,
    limit: maxUnsealed,
  });
  const cutAt = unsealed.length < maxUnsealed ? undefined : unsealed.at(-1)?.id;
  const covered = cutAt === undefined ? range : upTo(range, order, cutAt);
  return { events: mergeEvents(db, workspaceId, { unsealed, range: covered, order }), cutAt };
}

/** The part of a range that ends with an ID in an order. */
function upTo(range: IdRange, order: Order, id: string): IdRange {
  // With a dot, it is the first text that sorts after the ID.
  return order === "newest" ? { ...range, from: id } : { ...range, before: `${id}.` };
}

/** Segments overlap a little, since nodes write events at the same time, so events wait until no further segment can precede them. */
async function* mergeEvents(
  db: Database,
  workspaceId: string,
  { unsealed, range, order }: { unsealed: AuditEventTable[]; range: IdRange; order: Order },
): AsyncGenerator<AuditEventTable> {
  const compare = comparing(order);
  let waiting = unsealed;
  const spans = findSpans(db, workspaceId, range, order);
  for await (const { span, events: added } of withEvents(db, spans)) {
    const start = order === "newest" ? span.last_id : span.first_id;
    const isReady = ({ id }: AuditEventTable) => compare(id, start) < 0;
    yield* waiting.filter(isReady);
    const events = new Map(
      [...waiting.filter((event) => !isReady(event)), ...added.filter(isWithin(range))].map(
        (event) => [event.id, event],
      ),
    );
    waiting = [...events.values()].toSorted((one, other) => compare(one.id, other.id));
  }
  yield* waiting;
}

function comparing(order: Order): (one: string, other: string) => number {
  const sign = order === "newest" ? -1 : 1;
  return (one, other) => (one === other ? 0 : one < other ? -sign : sign);
}

const isWithin =
  ({ from = "", before = afterAllIds }: IdRange) =>
  ({ id }: { id: string }) =>
    id >= from && id < before;

/** What the segments with events in a range contain: the newest first, by their last ID, or the oldest first, by their first ID. */
export async function* findSpans(
  db: Database,
  workspaceId: string,
  { from = "", before = afterAllIds }: IdRange,
  order: Order,
): AsyncGenerator<Span> {
  const [column, direction, beyond] =
    order === "newest" ? (["last_id", "desc", "<"] as const) : (["first_id", "asc", ">"] as const);
  let last: Span | undefined;
  for (;;) {
    let query = db.kysely
      .selectFrom("audit_segments")
      .select([
        "workspace_id",
        "first_sequence",
        "last_sequence",
        "first_id",
        "last_id",
        "first_at",
        "last_at",
        "event_count",
      ])
      .where("workspace_id", "=", workspaceId)
      .where("last_id", ">=", from)
      .where("first_id", "<", before);
    if (last !== undefined) query = query.where(column, beyond, last[column]);
    const page = await query.orderBy(column, direction).limit(segmentsPerPage).execute();
    yield* page;
    last = page.at(-1);
    if (page.length < segmentsPerPage) return;
  }
}

/** Segments with their events, read many at a time, since those of a quiet workspace have few events each. */
export async function* withEvents(
  db: Database,
  spans: AsyncIterable<Span>,
): AsyncGenerator<{ span: Span; events: AuditEventTable[] }> {
  let group: Span[] = [];
  let eventCount = 0;
  for await (const span of spans) {
    group.push(span);
    eventCount += span.event_count;
    if (eventCount < eventsPerRead && group.length < segmentsPerPage) continue;
    yield* readGroup(db, group);
    [group, eventCount] = [[], 0];
  }
  yield* readGroup(db, group);
}

/** The events of each segment are in the order of the chain. There are none if retention has deleted it, or if it was altered so that it cannot be read or placed. */
async function* readGroup(db: Database, group: readonly Span[]) {
  const [first] = group;
  if (first === undefined) return;
  const segments = await db.kysely
    .selectFrom("audit_segments")
    .selectAll()
    .where("workspace_id", "=", first.workspace_id)
    .where(
      "last_sequence",
      "in",
      group.map(({ last_sequence }) => last_sequence),
    )
    .execute();
  const found = new Map(segments.map((segment) => [segment.last_sequence, segment]));
  for (const span of group) {
    const segment = found.get(span.last_sequence);
    const events = segment === undefined ? undefined : await unpackSegment(segment);
    const isListed = segment !== undefined && events !== undefined && isDescribed(segment, events);
    yield { span, events: isListed ? events : [] };
  }
}
