import type { UploadedFile } from "@toolhost/contract";
import type { RequestOrigin } from "#core/kernel";
import { auditEvent, commitWrite, lostKey, ServiceError } from "#core/kernel";
import type { FilesContext } from "./context.ts";
import { reserveUpload } from "#core/limits";
import type { FileTable } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { newFile, storeBytes } from "./create-file.ts";
import { presentFile, unknownSize } from "./file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { capFileBytes, capFiles } from "./file-limits.ts";
import { changeFile, findAwaitedFile, insertFile } from "./file-store.ts";
import { spool, tooLarge } from "./spool.ts";
import type { Spooled } from "./spool.ts";

const uploadUrlMs = 3_600_000;

/**
 * Creates a pre-authorized upload URL that accepts one file within an hour, of the given size or of any size if none is
 * given. The URL is returned only here. A given size counts toward the limits from now on. Throws `payload_too_large`,
 * `quota_exceeded`.
 */
export async function createUploadUrl(
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
    expires_at: now + uploadUrlMs,
  };
  const file = { ...presentFile(row), uploadUrl: `${config.baseUrl}/api/v1/uploads/${token}` };
  const details = { fileName: row.name, size: file.size, sha256: null, runId: null };
  const event = auditEvent(now, maker, { action: "file.create", target: row.id, details });
  const isWritten = await commitWrite(context, maker, file, [
    ...capFiles(context, row, Math.max(0, size)),
    insertFile(db, row),
    db.kysely.insertInto("audit_events").values(event).compile(),
  ]);
  if (!isWritten) throw lostKey();
  return file;
}

type UploadBody = {
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The Content-Length, if the client sent one. */
  length: number | undefined;
};

/**
 * Receives the bytes for an upload URL. The URL stays valid until they are complete. Throws `file_not_found` if it is
 * unknown, used or expired, `invalid_request` if the size differs from the announced one, `rate_limited`, and
 * `quota_exceeded` if no size was announced.
 */
export async function receiveUpload(
  context: FilesContext,
  { requestId, ip }: RequestOrigin,
  token: string,
  { body, length }: UploadBody,
): Promise<UploadedFile> {
  const tokenHash = sha256(token);
  const row = await findAwaitedFile(context.db, { tokenHash, now: context.clock.now() });
  if (row === undefined) throw uploadUrlNotFound();
  const isAnnounced = row.size !== unknownSize;
  if (isAnnounced && length !== undefined && length !== row.size) throw wrongSize(row);
  const maxBytes = isAnnounced ? row.size : context.config.UPLOAD_MAX_BYTES;
  const { user_id: userId, workspace_id: workspaceId } = row;
  const release = reserveUpload(context, { userId, workspaceId });
  const spooled = await spool(context, body, maxBytes)
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

function uploadUrlNotFound(): ServiceError {
  return new ServiceError(
    "file_not_found",
    "This upload URL is invalid, has expired or was used already. Request a new one.",
  );
}

/** Lets one of several concurrent uploads continue. If the storage fails, the URL is valid again. */
async function claim(
  context: FilesContext,
  maker: Maker,
  row: FileTable,
  spooled: Spooled,
): Promise<UploadedFile> {
  const { db, clock } = context;
  const { size } = spooled;
  const storing = { ...row, size, status: "storing", expires_at: clock.now() + uploadUrlMs };
  const { status, expires_at } = storing;
  const query = changeFile(db, row, { status, expires_at, size });
  // An announced size already counts; an unknown size counts from now on.
  const caps = row.size === unknownSize ? capFileBytes(context, row, size) : [];
  if (!(await db.transact([...caps, { query, mustChange: true }]))) throw uploadUrlNotFound();
  return storeBytes(context, maker, storing, {
    spooled,
    action: "file.upload",
    onFailure: { status: row.status, expires_at: row.expires_at, size: row.size },
  });
}

function wrongSize({ size }: FileTable): ServiceError {
  return new ServiceError(
    "invalid_request",
    `The body must have exactly ${size} bytes, as announced.`,
  );
}
