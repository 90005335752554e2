import { checkLeaseMs, holdUnchecked, markLinkedTools } from "#core/catalog";
import type { CheckImportInput, ImportKind } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { findRole } from "#core/identity";
import { auditInsert, byService, commitWrite, scopesOfRole, ServiceError } from "#core/kernel";
import type { TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { chargePoints } from "#core/limits";
import { newId } from "#lib/ids";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { nextCheckAt, retryCheckAt } from "./check-schedule.ts";
import type { ImportsContext } from "./context.ts";
import { findDueImports, updateImport } from "./import-store.ts";
import type { ImportRow } from "./import-store.ts";
import { columnsOf, findImport } from "./imports.ts";
import { findItems } from "./item-cache.ts";
import type { McpTransport } from "./mcp/index.ts";
import { isBridge, readBridge } from "./read-bridge.ts";
import { readMcp } from "./read-mcp.ts";
import { readOpenApi, useDocument } from "./read-openapi.ts";
import { hashesOf } from "./stored-import.ts";
import type { Reading, StoredItem } from "./stored-import.ts";

const maxConcurrentChecks = 8;
/** More than a node checks at once, because other nodes claim some of them. */
const maxCandidates = 32;
/** After this time without a successful check, tools of an MCP server are put on hold. */
const maxUncheckedMs = 24 * 3_600_000;
const maxProblem = 500;

/**
 * Reads a document or server again, with a credential of the user who created the import: other users have not agreed to send
 * theirs. Tools that differ are listed as changes; those of an MCP server are put on hold. Throws `not_found`, `forbidden`,
 * `invalid_request`, `file_not_found`, `payload_too_large`, `document_mismatch`, `connection_failed`, `rate_limited` and
 * `unavailable`.
 */
export async function checkImport(
  context: ImportsContext,
  caller: Caller,
  id: string,
  { fileId, allowMismatch }: CheckImportInput,
): Promise<void> {
  const row = await findImport(context, caller, id);
  if (row.url === null && fileId === undefined) throw needsFile();
  await chargePoints(context, "builds", caller.workspaceId);
  let steps: TransactionStep[];
  try {
    const reader = fileId === undefined ? await findCreator(context, row) : caller;
    const reading = await readAgain(context, reader, row, { fileId });
    if (fileId !== undefined && reading !== undefined && !allowMismatch) {
      checkIsSameApi(row, reading, (await findItems(context, row)).items);
    }
    ({ steps } = await planSuccess(context, row, reading));
  } catch (error) {
    if (fileId === undefined) await context.db.transact(planFailure(context, row, error));
    throw error;
  }
  const isChecked = await commitWrite(context, caller, null, [
    ...steps,
    auditInsert(context, caller, { action: "import.check", target: id }),
  ]);
  if (isChecked) return;
  throw changedMeanwhile();
}

/** Throws `document_mismatch` for an uploaded document with another title and without most of the operations. */
function checkIsSameApi(
  row: ImportRow,
  { title, items }: Reading,
  before: readonly StoredItem[],
): void {
  const known = hashesOf(before);
  const found = hashesOf(items);
  const missing = [...known.keys()].filter((key) => !found.has(key)).length;
  if (title === row.title || missing * 2 <= known.size) return;
  throw new ServiceError(
    "document_mismatch",
    `The document describes "${title}" and lacks ${missing} of ${known.size} operations of "${row.title}". Import it separately, or replace the document with \`allowMismatch\`.`,
  );
}

function needsFile(): ServiceError {
  const message = "is required, because the document was uploaded. Upload its new version";
  return new ServiceError("invalid_request", `Invalid body: \`/fileId\` ${message}.`, {
    errors: [{ path: "/fileId", message }],
  });
}

/**
 * Starts checks of the imports that are due: a few at a time, and one of each workspace, so that workspaces do not wait for each
 * other. Each check that ends starts the next.
 */
export async function checkDueImports(context: ImportsContext, signal: AbortSignal): Promise<void> {
  const { checking } = context.imports;
  const now = context.clock.now();
  if (signal.aborted || checking.size >= maxConcurrentChecks) return;
  const selection = { limit: maxCandidates, except: [...checking] };
  for (const row of await findDueImports(context.db, now, selection)) {
    if (signal.aborted || checking.size >= maxConcurrentChecks) return;
    if (checking.has(row.workspace_id)) continue;
    checking.add(row.workspace_id);
    // Not awaited: a server that does not respond must not delay the checks of others.
    void claimAndCheck(context, row)
      .catch((error: unknown) => {
        context.log.error({ err: error, importId: row.id }, "checking an import failed");
      })
      .then(() => {
        checking.delete(row.workspace_id);
        return checkDueImports(context, signal);
      })
      .catch((error: unknown) => context.log.error({ err: error }, "checking imports failed"));
  }
}

async function claimAndCheck(context: ImportsContext, row: ImportRow): Promise<void> {
  const change = { next_check_at: context.clock.now() + checkLeaseMs };
  const claim = { query: updateImport(context.db, row, change), mustChange: true } as const;
  if (!(await context.db.transact([claim]))) return;
  await checkClaimed(context, { ...row, revision: row.revision + 1 });
}

async function checkClaimed(context: ImportsContext, row: ImportRow): Promise<void> {
  let steps: TransactionStep[];
  try {
    // A slot of its own: users do not wait for a check.
    const key = `check ${row.workspace_id}`;
    const reading = await readAgain(context, await findCreator(context, row), row, { key });
    const plan = await planSuccess(context, row, reading);
    steps = plan.changed === 0 ? plan.steps : [...plan.steps, changesFound(context, row)];
  } catch (error) {
    steps = planFailure(context, row, error);
  }
  // If the import was changed or deleted meanwhile, that request knows better.
  await context.db.transact(steps);
}

/** Records why a check failed. A server that cannot be checked for long may have changed, so its tools are put on hold. */
function planFailure(context: ImportsContext, row: ImportRow, error: unknown): TransactionStep[] {
  const now = context.clock.now();
  const failures = row.failures + 1;
  const next = retryCheckAt(row.kind as ImportKind, now, failures);
  const isExpected = error instanceof ServiceError;
  if (!isExpected)
    context.log.error({ err: error, importId: row.id }, "an import could not be checked");
  const problem = isExpected
    ? error.message.slice(0, maxProblem)
    : "The check failed with an internal error.";
  const change = { problem, failures, next_check_at: next };
  const isUnknown = row.kind === "mcp" && now - row.checked_at > maxUncheckedMs;
  return [
    { query: updateImport(context.db, row, change), mustChange: true },
    ...(isUnknown ? [holdUnchecked(context.db, row.id)] : []),
  ];
}

function changesFound(
  context: ImportsContext,
  { id, workspace_id: workspaceId }: ImportRow,
): TransactionStep {
  const what = { action: "import.changes_found", target: id } as const;
  return auditInsert(context, { ...byService, workspaceId }, what);
}

/** What a document or server offers now; undefined if it is unchanged. `key` is that of the document's slot. */
async function readAgain(
  context: ImportsContext,
  caller: Caller,
  { kind, url, transport, credential, hash }: ImportRow,
  { fileId, ...slot }: { fileId?: string | undefined; key?: string },
): Promise<Reading | undefined> {
  if (kind === "mcp") {
    if (isBridge(url)) return readBridge(context, caller, { url: url ?? "", credential });
    const server = { url: url ?? "", transport: transport as McpTransport, credential };
    return readMcp(context, caller, server);
  }
  const source = fileId === undefined ? { url: url ?? "" } : { fileId };
  return useDocument(context, caller, { ...source, ...slot }, async (document) =>
    sha256(document.bytes) === hash
      ? undefined
      : readOpenApi(context, caller.workspaceId, document),
  );
}

/** The user who created an import, with the role of today. Throws `forbidden` if they left the workspace. */
async function findCreator(context: ImportsContext, row: ImportRow): Promise<Caller> {
  const { workspace_id: workspaceId, user_id: userId } = row;
  const role = await findRole(context, { workspaceId, userId });
  if (role === undefined) {
    throw new ServiceError(
      "forbidden",
      "The user who created this import has left the workspace. Create it again to check for changes.",
    );
  }
  return {
    userId,
    workspaceId,
    role,
    scopes: scopesOfRole(role),
    actor: { userId },
    via: "schedule",
    requestId: newId(),
    ip: null,
  };
}

/** What was read, with the time at which each item was found that the import lacked at first. */
async function markAdded(
  context: ImportsContext,
  row: ImportRow,
  reading: Reading,
): Promise<Reading> {
  const { items: before } = await findItems(context, row);
  const known = new Map(before.map((item) => [item.key, item]));
  const now = context.clock.now();
  const items = reading.items.map((item) => {
    const found = known.get(item.key);
    const addedAt = found === undefined ? now : found.addedAt;
    return addedAt === undefined ? item : { ...item, addedAt };
  });
  return { ...reading, items };
}

/** Stores what was read, and marks the tools that differ from it. */
async function planSuccess(
  context: ImportsContext,
  row: ImportRow,
  reading: Reading | undefined,
): Promise<{ steps: TransactionStep[]; changed: number }> {
  const now = context.clock.now();
  const next = row.url === null ? null : nextCheckAt(row.kind as ImportKind, now);
  const checked = { problem: null, failures: 0, checked_at: now, next_check_at: next };
  const isSame = reading === undefined || reading.hash === row.hash;
  const content = isSame ? {} : await columnsOf(await markAdded(context, row, reading));
  const change = { ...content, ...checked };
  const marked =
    reading === undefined
      ? { steps: [], changed: 0 }
      : await markLinkedTools(context.db, {
          importId: row.id,
          hashes: hashesOf(reading.items),
          isPinned: row.kind === "mcp",
        });
  const update = { query: updateImport(context.db, row, change), mustChange: true } as const;
  return { steps: [update, ...marked.steps], changed: marked.changed };
}
