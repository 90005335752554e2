import { ServiceError } from "#core/kernel";
import type { NamedEvent } from "#core/kernel";

/** Media types for an export of the whole log, besides pages of JSON. */
export const exportMediaTypes = ["text/csv", "application/x-ndjson"] as const;
type ExportMediaType = (typeof exportMediaTypes)[number];

/** The media type to return for an `Accept` header. Throws `not_acceptable`. */
export function negotiateMediaType(accept: string | null): "json" | ExportMediaType {
  const accepted = accept ?? "*/*";
  const form = exportMediaTypes.find((type) => accepted.includes(type));
  if (form !== undefined) return form;
  if (/\*\/\*|application\/(?:json|\*)/.test(accepted)) return "json";
  throw new ServiceError(
    "not_acceptable",
    "Audit events are available as application/json, text/csv and application/x-ndjson.",
  );
}

type Cell = string | number | null;

const columns: readonly [string, (event: NamedEvent) => Cell][] = [
  ["sequence", ({ event }) => event.sequence],
  ["at", ({ event }) => event.at],
  ["action", ({ event }) => event.action],
  ["target", ({ event }) => event.target],
  ["targetName", ({ names }) => names.targetName],
  ["outcome", ({ event }) => event.outcome],
  ["via", ({ event }) => event.via],
  ["userId", ({ event }) => event.actor.userId],
  ["actorName", ({ names }) => names.actorName],
  ["actor", ({ event }) => JSON.stringify(event.actor)],
  ["ip", ({ event }) => event.ip],
  ["requestId", ({ event }) => event.requestId],
  ["details", ({ event }) => JSON.stringify(event.details)],
  ["hidden", ({ event }) => (event.hidden === true ? "true" : "")],
  ["id", ({ event }) => event.id],
  ["hash", ({ event }) => event.hash],
];

/** Streams events as lines of JSON or CSV (RFC 4180). Reads no further ahead than the client does. */
export function toExport(
  form: ExportMediaType,
  pages: AsyncGenerator<NamedEvent[]>,
): ReadableStream<Uint8Array> {
  const isCsv = form === "text/csv";
  const encoder = new TextEncoder();
  let hasHeader = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = isCsv && !hasHeader ? joinCells(columns.map(([name]) => name)) : "";
        hasHeader = true;
        // A pull that enqueues nothing is not called again, so it reads on after a page without lines.
        for (;;) {
          const { done, value } = await pages.next();
          if (done !== true) text += value.map(isCsv ? toCsvRow : toJsonLine).join("");
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (done === true) controller.close();
          if (done === true || text !== "") return;
        }
      },
      async cancel() {
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function toJsonLine({ event }: NamedEvent): string {
  return `${JSON.stringify(event)}\n`;
}

function toCsvRow(event: NamedEvent): string {
  return joinCells(columns.map(([, read]) => read(event)));
}

function joinCells(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** Spreadsheets evaluate cells that start like this as formulas (CSV injection); an apostrophe makes them text. */
const formula = /^\s*[=+\-@|%＝＋－＠]/;

function toCell(text: Cell): string {
  if (text === null) return "";
  if (typeof text === "number") return String(text);
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
