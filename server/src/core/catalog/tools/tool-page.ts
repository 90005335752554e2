import { readPage } from "#lib/page";
import { yieldToEventLoop } from "#lib/event-loop";
import type { ToolRow } from "./tool.ts";

/** Characters of definitions in one response. A single definition may have half a megabyte. */
const maxSize = 2 * 1024 * 1024;
const toolsAtOnce = 25;

type Page = { limit: number; after: string | undefined };

/** A page of tools, shorter than `limit` if their definitions are large. */
export function readToolPage<Row extends ToolRow>(
  { limit, after }: Page,
  read: (page: Page) => Promise<Row[]>,
): Promise<{ shown: Row[]; next: string | undefined }> {
  const sizeOf = ({ definition }: Row) => definition.length;
  return readPage({ limit, after, read, cursorOf: ({ id }) => id, sizeOf }, maxSize);
}

/** A few tools with larger definitions must not leave other matches out, so all of them get half of a response. */
const largeSize = 32 * 1024;

/** Tools by ID in the given order, as many as fit into one response. */
export async function readToolsById<Row extends ToolRow>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  const left = { large: maxSize / 2, small: maxSize / 2 };
  for (let at = 0; at < ids.length; at += toolsAtOnce) {
    const rows = await read(ids.slice(at, at + toolsAtOnce));
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids.slice(at, at + toolsAtOnce)) {
      const row = byId.get(id);
      if (row === undefined) continue;
      const kind = row.definition.length > largeSize ? "large" : "small";
      if (left[kind] < 0) continue;
      left[kind] -= row.definition.length;
      found.push(row);
    }
    await yieldToEventLoop();
  }
  return found;
}
