import type { ImportKind, ImportResource } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import type { CountedImport } from "./import-store.ts";
import type { Common } from "./stored-import.ts";

/** An import as the API shows it to the caller. */
export function presentImport(
  row: CountedImport,
  caller: Pick<Caller, "scopes">,
  draftCount: number,
): ImportResource {
  const {
    servers,
    securitySchemes,
    tags,
    notes = [],
    fileName = null,
  } = JSON.parse(row.common) as Common;
  const nextCheckAt = row.next_check_at;
  return {
    id: row.id,
    kind: row.kind as ImportKind,
    title: row.custom_title ?? row.title,
    description: row.description,
    version: row.version,
    format: row.format,
    url: row.url === null || caller.scopes.has("tools:write") ? row.url : withoutValues(row.url),
    fileName: row.url === null ? fileName : null,
    servers,
    securitySchemes: securitySchemes.map(
      ({ name, kind, description, credentialNames, prefix, hint, connection }) => ({
        name,
        kind,
        description,
        credentialNames,
        ...(prefix === undefined ? {} : { prefix }),
        ...(hint === undefined ? {} : { hint }),
        ...(connection === undefined ? {} : { connection }),
      }),
    ),
    credential: row.credential,
    tags,
    notes,
    documentHash: row.kind === "openapi" ? row.hash : null,
    itemCount: row.item_count,
    importedCount: row.imported_count,
    toolCount: row.tool_count,
    draftCount,
    changeCount: row.change_count,
    holdCount: row.hold_count,
    status: row.problem === null ? "ok" : "failing",
    problem: row.problem,
    createdBy: row.user_id,
    createdAt: toTimestamp(row.created_at),
    checkedAt: toTimestamp(row.checked_at),
    nextCheckAt: nextCheckAt === null ? null : toTimestamp(nextCheckAt),
  };
}

/** The same address without its fragment and the values of its query, which may be secrets. */
function withoutValues(address: string): string {
  const url = new URL(address);
  if (url.search === "") return address.split("#", 1)[0] ?? "";
  const parts = url.search.slice(1).split("&").filter(Boolean);
  const shown = parts.map((part) => (part.includes("=") ? `${part.split("=", 1)[0]}=…` : "…"));
  const query = shown.length === 0 ? "" : `?${shown.join("&")}`;
  return `${url.origin}${url.pathname}${query}`;
}
