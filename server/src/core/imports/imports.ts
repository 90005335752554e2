import { gzip } from "node:zlib";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { CreateImportInput, ImportResource, UpdateImportInput } from "@toolhost/contract";
import {
  findImportOfTool,
  findLinkedTools,
  formatItemHashes,
  unlinkTools,
  planArchive,
} from "#core/catalog";
import { findDraftedItems, planImportedDraftDeletion } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, mayDo, notFound, ServiceError } from "#core/kernel";
import { capSteps, chargePoints } from "#core/limits";
import type { ImportTable } from "#db";
import { isId, newId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { checkServerUrl } from "./check-server-url.ts";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import type { ImportsContext } from "./context.ts";
import { nextCheckAt } from "./check-schedule.ts";
import {
  deleteImportRow,
  findImportOfDocument,
  findImportRow,
  insertImport,
  listImportRows,
  updateImport,
} from "./import-store.ts";
import type { CountedImport } from "./import-store.ts";
import { toStoredItems } from "./item-cache.ts";
import { presentImport } from "./present-import.ts";
import { isBridge, readBridge } from "./read-bridge.ts";
import { readMcp } from "./read-mcp.ts";
import { readOpenApi, useDocument } from "./read-openapi.ts";
import { hashesOf } from "./stored-import.ts";
import type { Reading } from "./stored-import.ts";

const compress = promisify(gzip);
const maxStoredBytes = 10 * 1024 * 1024;
/** A list of imports returns this for each of them. */
const maxCommonBytes = 64 * 1024;

/** The imports of the workspace, newest first; with `toolName` only the one that this tool came from. */
export async function listImports(
  context: ImportsContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; toolName: string | undefined },
): Promise<{ imports: ImportResource[]; next: string | undefined }> {
  const { db } = context;
  const { limit, after, toolName } = page;
  const id = toolName === undefined ? undefined : await findImportOfTool(db, caller, toolName);
  if (toolName !== undefined && id === undefined) return { imports: [], next: undefined };
  const rows = await listImportRows(db, caller, { limit: limit + 1, after, id });
  const { shown, next } = cutPage(rows, limit, (row) => row.id);
  const countOf = await countDrafts(context, caller);
  const imports = await Promise.all(
    shown.map(async (row) => presentImport(row, caller, await countOf(row.id))),
  );
  return { imports, next };
}

/** An import of the workspace. Throws `not_found`. */
export async function getImport(
  context: ImportsContext,
  caller: Caller,
  id: string,
): Promise<ImportResource> {
  const countOf = await countDrafts(context, caller);
  return presentImport(await findImport(context, caller, id), caller, await countOf(id));
}

/** Counts items without a tool of which the caller has a draft. */
async function countDrafts(context: ImportsContext, caller: Caller) {
  const drafted = await findDraftedItems(context, caller);
  return async (importId: string): Promise<number> => {
    const keys = drafted.get(importId);
    if (keys === undefined) return 0;
    const linked = await findLinkedTools(context.db, caller, importId);
    for (const { item_key: key } of linked) keys.delete(key);
    return keys.size;
  };
}

/** The row of an import of the workspace. Throws `not_found`. */
export async function findImport(
  { db }: Pick<ImportsContext, "db">,
  caller: Pick<Caller, "workspaceId" | "userId">,
  id: string,
): Promise<CountedImport> {
  const row = isId(id) ? await findImportRow(db, caller, id) : undefined;
  if (row === undefined) throw notFound("not_found", "import", { id });
  return row;
}

/**
 * Reads a document or the tools of an MCP server, and stores what they offer. Creates no tools. Throws `invalid_request`,
 * `file_not_found`, `payload_too_large`, `connection_failed`, `quota_exceeded` and `unavailable`.
 */
export async function createImport(
  context: ImportsContext,
  caller: Caller,
  input: CreateImportInput,
): Promise<ImportResource> {
  await chargePoints(context, "builds", caller.workspaceId);
  const reading = await read(context, caller, input);
  if (input.kind === "openapi" && !input.allowDuplicate) {
    await refuseDuplicate(context, caller, { url: input.url ?? null, hash: reading.hash });
  }
  const { workspaceId } = caller;
  const now = context.clock.now();
  const url = input.url ?? null;
  const row: ImportTable = {
    id: newId(),
    workspace_id: workspaceId,
    user_id: caller.userId,
    kind: input.kind,
    url,
    credential: input.kind === "mcp" ? input.credential : null,
    ...(await columnsOf(reading)),
    custom_title: null,
    problem: null,
    failures: 0,
    created_at: now,
    checked_at: now,
    next_check_at: url === null ? null : nextCheckAt(reading.kind, now),
    revision: 1,
  };
  const created = presentImport(
    { ...row, tool_count: 0, imported_count: 0, change_count: 0, hold_count: 0 },
    caller,
    0,
  );
  const existing = sql`select 1 from imports where workspace_id = ${workspaceId}`;
  const isCreated = await commitWrite(context, caller, created, [
    ...capSteps(context, "imports", { subject: workspaceId, existing }),
    insertImport(context.db, row),
    auditInsert(context, caller, {
      action: "import.create",
      target: row.id,
      details: { kind: row.kind, ...(url === null ? {} : { host: new URL(url).host || url }) },
    }),
  ]);
  if (!isCreated) throw lostKey();
  return created;
}

/** Gives an import a title of the user's own, which checks do not change. Throws `not_found` and `unavailable`. */
export async function renameImport(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { title }: UpdateImportInput,
): Promise<ImportResource> {
  const row = await findImport(context, caller, id);
  const countOf = await countDrafts(context, caller);
  const renamed = presentImport({ ...row, custom_title: title }, caller, await countOf(id));
  const isRenamed = await commitWrite(context, caller, renamed, [
    { query: updateImport(context.db, row, { custom_title: title }), mustChange: true },
    auditInsert(context, caller, { action: "import.rename", target: id, details: { title } }),
  ]);
  if (isRenamed) return renamed;
  throw changedMeanwhile();
}

/** Throws `already_imported` with `importId` for a document that the workspace has an import of. */
async function refuseDuplicate(
  { db }: ImportsContext,
  caller: Caller,
  document: { url: string | null; hash: string },
): Promise<void> {
  const existing = await findImportOfDocument(db, caller, document);
  if (existing === undefined) return;
  const title = existing.custom_title ?? existing.title;
  throw new ServiceError(
    "already_imported",
    `The document is imported already, as "${title}". Use that import, or send \`allowDuplicate\`.`,
    { extra: { importId: existing.id } },
  );
}

async function read(
  context: ImportsContext,
  caller: Caller,
  input: CreateImportInput,
): Promise<Reading> {
  if (input.url !== undefined && isBridge(input.url)) return readBridge(context, caller, input);
  if (input.url !== undefined) checkUrl(context, input.url);
  if (input.kind === "mcp") {
    checkServerUrl(input.url, input.credential);
    return readMcp(context, caller, input);
  }
  const source = input.url === undefined ? { fileId: input.fileId ?? "" } : { url: input.url };
  return useDocument(context, caller, source, (document) =>
    readOpenApi(context, caller.workspaceId, document),
  );
}

/** Credentials in a URL would be shown to all members. */
function checkUrl({ outbound }: ImportsContext, url: string): void {
  const { username, password } = new URL(url);
  if (username === "" && password === "" && outbound.allowsScheme(url)) return;
  const message =
    "must be an HTTPS URL without a user name and password. The operator can allow HTTP for a host with EGRESS_PRIVATE_HOSTS";
  throw new ServiceError("invalid_request", `Invalid body: \`/url\` ${message}.`, {
    errors: [{ path: "/url", message }],
  });
}

/** The columns with what was read. Throws `payload_too_large`. */
export async function columnsOf(reading: Reading) {
  const { kind, title, description, version, format, transport, common, hash } = reading;
  const items = await toStoredItems(reading.items);
  const commonText = JSON.stringify(common);
  if (Buffer.byteLength(commonText) > maxCommonBytes) {
    throw new ServiceError(
      "payload_too_large",
      `The document's servers, security schemes and tags have more than ${maxCommonBytes / 1024} KiB. Remove those that you do not need.`,
    );
  }
  const document = reading.document === null ? null : await compress(reading.document);
  if (Math.max(items.length, document?.length ?? 0) > maxStoredBytes) {
    throw new ServiceError(
      "payload_too_large",
      `The ${kind === "mcp" ? "MCP server" : "document"} describes too much to be stored. Import a smaller part of it.`,
    );
  }
  return {
    title,
    description,
    version,
    format,
    transport,
    common: commonText,
    items,
    item_hashes: formatItemHashes(hashesOf(reading.items)),
    item_count: reading.items.filter(({ problem }) => problem === null).length,
    document,
    hash,
  };
}

/**
 * Deletes an import. Its tools are archived, or are no longer checked. Those on hold stay on hold. Throws `not_found` and
 * `forbidden`.
 */
export async function deleteImport(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { tools, drafts }: { tools: "keep" | "archive"; drafts: "keep" | "delete" },
): Promise<void> {
  const row = await findImport(context, caller, id);
  checkMayDelete(caller, row);
  const linked = tools === "archive" ? await findLinkedTools(context.db, caller, id) : [];
  const archived = await Promise.all(linked.map(({ name }) => planArchive(context, caller, name)));
  const isDeleted = await commitWrite(context, caller, null, [
    // Before the import is deleted, because its URL decides who may see the event.
    auditInsert(context, caller, {
      action: "import.delete",
      target: id,
      details: { kind: row.kind },
    }),
    { query: deleteImportRow(context.db, row), mustChange: true },
    ...archived.flat(),
    ...(drafts === "delete" ? await planImportedDraftDeletion(context, caller, id) : []),
    unlinkTools(context.db, id),
  ]);
  if (!isDeleted) {
    throw new ServiceError(
      "unavailable",
      "The import or one of its tools was changed at the same time. Retry.",
      { retryAfterSeconds: 1 },
    );
  }
}

function checkMayDelete(caller: Caller, row: CountedImport): void {
  if (row.user_id === caller.userId || mayDo(caller.role, "tools:oversee")) return;
  throw new ServiceError(
    "forbidden",
    "Only the user who created an import and admins can delete it.",
  );
}
