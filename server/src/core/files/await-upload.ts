import type { UploadedFile } from "@toolhost/contract";
import type { RequestOrigin } from "#core/kernel";
import { auditEvent, commitWrite, lostKey, ServiceError } from "#core/kernel";
import type { FilesContext } from "./context.ts";
import { holdUpload } from "#core/limits";
import type { FileTable } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { newFile, storeBytes } from "./create-file.ts";
import { fileNotFound, presentFile, unknownSize } from "./file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { capFileBytes, capFiles } from "./file-caps.ts";
import { changeFile, findAwaitedFile, insertFile } from "./file-store.ts";
import { spool, tooLarge } from "./spool.ts";
import type { Spooled } from "./spool.ts";

const addressMs = 3_600_000;

/**
 * Makes an address that takes a file of this size, or of any when none is said, once within an hour and without
 * a key. The address is in the answer and nowhere else. An announced size counts from now on. Throws
 * `payload_too_large`, `quota_exceeded`.
 */
export async function awaitUpload(
  context: FilesContext,
  maker: Maker,
  { size = unknownSize, ...info }: FileInfo & { size?: number | undefined },
): Promise<UploadedFile> {
  const { db, clock, config } = context;
  if (size > config.UPLOAD_MAX_BYTES) throw tooLarge(config.UPLOAD_MAX_BYTES);
  const now = clock.now();
  const token = randomToken();
  const row: FileTable = {
    ...newFile(maker, info, { runId: null, now }),
    size,
    status: "awaiting_upload",
    token_hash: sha256(token),
    expires_at: now + addressMs,
  };
  const file = { ...presentFile(row), uploadUrl: `${config.baseUrl}/api/v1/uploads/${token}` };
  const details = { fileName: row.name, size: file.size, sha256: null, runId: null };
  const event = auditEvent(now, maker, { action: "file.create", target: row.id, details });
  const isKept = await commitWrite(context, maker, file, [
    ...capFiles(context, row, Math.max(0, size)),
    insertFile(db, row),
    db.kysely.insertInto("audit_events").values(event).compile(),
  ]);
  if (!isKept) throw lostKey();
  return file;
}

type Sent = {
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** What the sender says how long it is. */
  length: number | undefined;
};

/**
 * Takes the bytes that were announced for an address. Until they are there whole the address stays good. Throws
 * `file_not_found` when it is unknown, used or over, `invalid_request` for another size than announced, `rate_limited`, and
 * `quota_exceeded` where no size was announced.
 */
export async function receiveUpload(
  context: FilesContext,
  { requestId, ip }: RequestOrigin,
  token: string,
  { body, length }: Sent,
): Promise<UploadedFile> {
  const tokenHash = sha256(token);
  const row = await findAwaitedFile(context.db, { tokenHash, now: context.clock.now() });
  if (row === undefined) throw fileNotFound();
  const isAnnounced = row.size !== unknownSize;
  if (isAnnounced && length !== undefined && length !== row.size) throw wrongSize(row);
  const most = isAnnounced ? row.size : context.config.UPLOAD_MAX_BYTES;
  const { user_id: userId, workspace_id: workspaceId } = row;
  const release = holdUpload(context, { userId, workspaceId });
  const spooled = await spool(context, body, most)
    .catch((error: unknown) => {
      const isTooLong = error instanceof ServiceError && error.code === "payload_too_large";
      throw isAnnounced && isTooLong ? wrongSize(row) : error;
    })
    .finally(release);
  try {
    if (isAnnounced && spooled.size !== row.size) throw wrongSize(row);
    const actor = JSON.parse(row.actor) as Maker["actor"];
    const maker: Maker = { userId, workspaceId, actor, via: "rest", requestId, ip };
    return await claim(context, maker, row, spooled);
  } finally {
    await spooled.discard();
  }
}

/** Of two that send at the same time, one goes on; when the storage fails, the address is good again. */
async function claim(
  context: FilesContext,
  maker: Maker,
  row: FileTable,
  spooled: Spooled,
): Promise<UploadedFile> {
  const { db, clock } = context;
  const { size } = spooled;
  const storing = { ...row, size, status: "storing", expires_at: clock.now() + addressMs };
  const { status, expires_at } = storing;
  const query = changeFile(db, row, { status, expires_at, size });
  // What was announced is counted since then; what was not is counted now.
  const caps = row.size === unknownSize ? capFileBytes(context, row, size) : [];
  if (!(await db.transact([...caps, { query, mustChange: true }]))) throw fileNotFound();
  return storeBytes(context, maker, storing, {
    spooled,
    action: "file.upload",
    otherwise: { status: row.status, expires_at: row.expires_at, size: row.size },
  });
}

function wrongSize({ size }: FileTable): ServiceError {
  return new ServiceError("invalid_request", `The body must have exactly ${size} bytes.`);
}
