import { sql } from "kysely";
import type { AuditAction, UploadedFile } from "@toolhost/contract";
import { auditEvent, commitWrite, lostKey } from "#core/kernel";
import type { FilesContext } from "./context.ts";
import type { FileTable } from "#db";
import { newId } from "#lib/ids";
import { cleanFileName, presentFile, retentionMs } from "./file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { keyOf } from "./file-storage.ts";
import { capFiles } from "./file-limits.ts";
import { changeFile, insertFile } from "./file-store.ts";
import type { Spooled } from "./spool.ts";

/** A file that is still being stored after this time belongs to a process that stopped. */
const storingMs = 3_600_000;

/**
 * Creates a file from received bytes. Its row is written before the bytes are stored and becomes ready afterwards, so the
 * sweep finds everything that a crash leaves behind. Throws `quota_exceeded` if the workspace has reached its limit.
 */
export async function createFile(
  context: FilesContext,
  maker: Maker,
  info: FileInfo,
  { spooled, runId = null }: NewBytes,
): Promise<UploadedFile> {
  const now = context.clock.now();
  const row = { ...newFile(maker, info, { runId, now }), size: spooled.size };
  const storing: FileTable = { ...row, status: "storing", expires_at: now + storingMs };
  await context.db.transact([
    ...capFiles(context, storing, spooled.size),
    insertFile(context.db, storing),
  ]);
  return storeBytes(context, maker, storing, {
    spooled,
    action: "file.create",
    onFailure: { expires_at: 0 },
  });
}

type NewBytes = {
  spooled: Spooled;
  runId?: string | null;
};

/** Builds a row before the bytes arrive. */
export function newFile(
  maker: Maker,
  { fileName, mimeType }: FileInfo,
  { runId, now }: { runId: string | null; now: number },
): FileTable {
  return {
    id: newId(),
    workspace_id: maker.workspaceId,
    user_id: maker.userId,
    run_id: runId,
    actor: JSON.stringify(maker.actor),
    name: cleanFileName(fileName),
    mime_type: mimeType.toLowerCase(),
    image_type: null,
    size: 0,
    sha256: null,
    status: "storing",
    token_hash: null,
    audience: null,
    created_at: now,
    expires_at: now,
  };
}

type Bytes = {
  spooled: Spooled;
  action: AuditAction;
  /** Changes to the row if the bytes cannot be stored. */
  onFailure: Partial<FileTable>;
};

/** Stores the bytes and marks a `storing` row as ready, with its audit event and response. */
export async function storeBytes(
  context: FilesContext,
  maker: Maker,
  storing: FileTable,
  { spooled, action, onFailure }: Bytes,
): Promise<UploadedFile> {
  const { db, fileStorage, clock, config } = context;
  const { size, sha256, imageType } = spooled;
  try {
    await fileStorage.put(keyOf(storing), spooled.path, size);
    const now = clock.now();
    const columns = {
      status: "ready",
      size,
      sha256,
      image_type: imageType,
      token_hash: null,
      expires_at: now + retentionMs(config),
    };
    const file = presentFile({ ...storing, ...columns });
    const details = { fileName: storing.name, size, sha256, runId: storing.run_id };
    const event = auditEvent(now, maker, { action, target: storing.id, details });
    const isWritten = await commitWrite(context, maker, file, [
      { query: changeFile(db, storing, columns), mustChange: true },
      db.kysely
        .insertInto("audit_events")
        .values({ ...event, private_to: privateRunOwner(storing.run_id) })
        .compile(),
    ]);
    if (!isWritten) throw lostKey();
    return file;
  } catch (error) {
    await markFailed(context, storing, onFailure);
    throw error;
  }
}

/** The user to whom the event is private, because its run may have become private after it started. */
function privateRunOwner(runId: string | null) {
  return sql<string | null>`(select user_id from runs where id = ${runId} and is_private = 1)`;
}

/** Changes nothing if the row is ready, because a connection may fail after the commit. */
async function markFailed(
  { db, log }: FilesContext,
  storing: FileTable,
  onFailure: Partial<FileTable>,
): Promise<void> {
  const query = changeFile(db, storing, onFailure);
  await db.transact([query]).catch((error: unknown) => {
    log.debug({ err: error }, "could not reset a failed file; it will expire");
  });
}
