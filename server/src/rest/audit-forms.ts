import type { AuditEvent } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";

/** Forms of the whole trail, beside pages of JSON. */
export const exportForms = ["text/csv", "application/x-ndjson"] as const;
type ExportForm = (typeof exportForms)[number];

/** Which form a request asks for. Throws `not_acceptable`. */
export function formOfEvents(accept: string | null): "json" | ExportForm {
  const asked = accept ?? "*/*";
  const form = exportForms.find((type) => asked.includes(type));
  if (form !== undefined) return form;
  if (/\*\/\*|application\/(?:json|\*)/.test(asked)) return "json";
  throw new ServiceError(
    "not_acceptable",
    "Events are answered as application/json, text/csv or application/x-ndjson.",
  );
}

type Cell = string | number | null;

const columns: readonly [string, (event: AuditEvent) => Cell][] = [
  ["sequence", ({ sequence }) => sequence],
  ["at", ({ at }) => at],
  ["action", ({ action }) => action],
  ["target", ({ target }) => target],
  ["outcome", ({ outcome }) => outcome],
  ["via", ({ via }) => via],
  ["userId", ({ actor }) => actor.userId],
  ["actor", ({ actor }) => JSON.stringify(actor)],
  ["ip", ({ ip }) => ip],
  ["requestId", ({ requestId }) => requestId],
  ["details", ({ details }) => JSON.stringify(details)],
  ["hidden", ({ hidden }) => (hidden === true ? "true" : "")],
  ["id", ({ id }) => id],
  ["hash", ({ hash }) => hash],
];

/** Events as they arrive, as lines of JSON or of a table (RFC 4180). Nothing is read ahead of what is taken. */
export function toExport(
  form: ExportForm,
  pages: AsyncGenerator<AuditEvent[]>,
): ReadableStream<Uint8Array> {
  const isTable = form === "text/csv";
  const encoder = new TextEncoder();
  let isBegun = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = isTable && !isBegun ? toRow(columns.map(([name]) => name)) : "";
        isBegun = true;
        // A pull that enqueues nothing is not repeated, so a page without lines must not end it.
        for (;;) {
          const { done, value } = await pages.next();
          if (done !== true) text += value.map(isTable ? toLine : toJsonLine).join("");
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

function toJsonLine(event: AuditEvent): string {
  return `${JSON.stringify(event)}\n`;
}

function toLine(event: AuditEvent): string {
  return toRow(columns.map(([, read]) => read(event)));
}

function toRow(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** Programs for tables take what begins so for a formula and work it out; after an apostrophe it is text. */
const formula = /^\s*[=+\-@|%＝＋－＠]/;

function toCell(text: Cell): string {
  if (text === null) return "";
  if (typeof text === "number") return String(text);
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
