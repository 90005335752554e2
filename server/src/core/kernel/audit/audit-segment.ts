import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { AuditEventTable, AuditSegmentTable } from "#db";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A body with more bytes was not written by the service. */
const maxBodyBytes = 64 * 1024 * 1024;

/** The columns that a segment stores of each event. All events of a segment belong to its workspace. */
const columns = [
  "id",
  "at",
  "actor",
  "user_id",
  "via",
  "action",
  "target",
  "outcome",
  "request_id",
  "ip",
  "details",
  "private_to",
  "sequence",
  "hash",
] as const satisfies readonly (keyof AuditEventTable)[];

/** A sealed event. */
export type SealedEvent = AuditEventTable & { sequence: number; hash: string };

/** Stores sealed events of one workspace, in the order of the chain, as one row. There must be at least one. */
export async function packSegment(events: readonly SealedEvent[]): Promise<AuditSegmentTable> {
  const [first] = events;
  if (first === undefined) throw new Error("A segment needs an event");
  // Similar values next to each other compress to half the bytes.
  const values = columns.map((column) => events.map((event) => event[column]));
  return {
    workspace_id: first.workspace_id,
    ...describe(events),
    body: await compress(JSON.stringify(values)),
  };
}

/** What the columns beside the body say about the events of a segment. */
function describe(events: readonly SealedEvent[]) {
  const ids = events.map(({ id }) => id).toSorted();
  const times = events.map(({ at }) => at);
  return {
    first_sequence: events.at(0)?.sequence ?? 0,
    last_sequence: events.at(-1)?.sequence ?? 0,
    first_id: ids.at(0) ?? "",
    last_id: ids.at(-1) ?? "",
    first_at: Math.min(...times),
    last_at: Math.max(...times),
    event_count: events.length,
  };
}

/** Whether the columns by which lists find a segment match its events. */
export function isDescribed(segment: AuditSegmentTable, events: readonly SealedEvent[]): boolean {
  const described = Object.entries(describe(events));
  return described.every(([column, value]) => segment[column as keyof AuditSegmentTable] === value);
}

/**
 * The events of a segment, in the order of the chain. Undefined if the body was altered so that it cannot be read; an
 * alteration that can be read shows when the chain is verified.
 */
export async function unpackSegment({
  workspace_id,
  body,
}: Pick<AuditSegmentTable, "workspace_id" | "body">): Promise<SealedEvent[] | undefined> {
  try {
    const text = await decompress(body, { maxOutputLength: maxBodyBytes });
    const values = JSON.parse(text.toString()) as unknown[][];
    const count = values[0]?.length ?? 0;
    const isWhole =
      values.length === columns.length && values.every((each) => each.length === count);
    if (!isWhole || count === 0) return undefined;
    const events = Array.from({ length: count }, (_, at) =>
      Object.fromEntries(columns.map((column, index) => [column, values[index]?.[at]])),
    );
    return events.every(isEvent)
      ? events.map((event) => ({ ...event, workspace_id }) as SealedEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an event has the types that its readers rely on. */
function isEvent({ id, at, actor, details, sequence, hash }: Record<string, unknown>): boolean {
  const texts = [id, actor, details, hash];
  return typeof at === "number" && typeof sequence === "number" && texts.every(isText);
}

const isText = (value: unknown) => typeof value === "string";
