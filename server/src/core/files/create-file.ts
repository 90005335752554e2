import { sql } from "kysely";
import type { UploadedFile } from "@toolhost/contract";
import { auditEvent, commitWrite, lostKey } from "#core/kernel";
import type { AuditAction } from "#core/kernel";
import type { FilesContext } from "./context.ts";
import type { FileTable } from "#db";
import { newId } from "#lib/ids";
import { cleanFileName, presentFile, retentionMs } from "./file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { keyOf } from "./file-storage.ts";
import { capFiles } from "./file-caps.ts";
import { changeFile, insertFile } from "./file-store.ts";
import type { Spooled } from "./spool.ts";

/** After so long, bytes that go into the storage are those of a process that died. */
const storingMs = 3_600_000;

/**
 * Makes a file of bytes that have arrived. A row is there before the bytes are in the storage and counts
 * only once they are, so a crash at any instant leaves nothing that the sweep does not find. Throws
 * `quota_exceeded` when the workspace has no room for it.
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
    otherwise: { expires_at: 0 },
  });
}

type NewBytes = {
  spooled: Spooled;
  runId?: string | null;
};

/** A row for what is known before any bytes are. */
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
  /** What becomes of the row when the bytes cannot be stored. */
  otherwise: Partial<FileTable>;
};

/** Moves bytes into the storage and makes a row that is `storing` ready, with its event and answer. */
export async function storeBytes(
  context: FilesContext,
  maker: Maker,
  storing: FileTable,
  { spooled, action, otherwise }: Bytes,
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
    const isKept = await commitWrite(context, maker, file, [
      { query: changeFile(db, storing, columns), mustChange: true },
      db.kysely
        .insertInto("audit_events")
        .values({ ...event, private_to: whoseRun(storing.run_id) })
        .compile(),
    ]);
    if (!isKept) throw lostKey();
    return file;
  } catch (error) {
    await giveUp(context, storing, otherwise);
    throw error;
  }
}

/** Who alone sees the event of a file that a run saved: its run may have become private since it began. */
function whoseRun(runId: string | null) {
  return sql<string | null>`(select user_id from runs where id = ${runId} and is_private = 1)`;
}

/** Changes nothing when the row is ready after all: a connection may break behind a commit. */
async function giveUp(
  { db, log }: FilesContext,
  storing: FileTable,
  otherwise: Partial<FileTable>,
): Promise<void> {
  const query = changeFile(db, storing, otherwise);
  await db.transact([query]).catch((error: unknown) => {
    log.debug({ err: error }, "a file that failed is left to expire");
  });
}
