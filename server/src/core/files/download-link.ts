import type { FileLink } from "@toolhost/contract";
import { commitWrite, lostKey, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { auditFile } from "./audit-file.ts";
import type { FilesContext } from "./context.ts";
import { findWorkspaceOfFile } from "./file-store.ts";
import type { FileViewer } from "./file-store.ts";
import { findFileRow, getFile } from "./open-file.ts";
import type { OpenableFile } from "./open-file.ts";

/** How long a download link works unless its creator chooses. */
const defaultLinkMs = 3_600_000;

const subject = "download link";
const idBytes = 16;
const payloadBytes = 2 * idBytes + 6;

/**
 * The path of a link that downloads one file without a credential, for a user, until it expires. The link is encrypted and
 * authenticated, so that it reveals and permits nothing else, and nothing is stored for it.
 */
export function createDownloadLink(
  { config, clock, linkSeal }: Pick<FilesContext, "config" | "clock" | "linkSeal">,
  viewer: Pick<FileViewer, "userId">,
  fileId: string,
  expiresAt = clock.now() + defaultLinkMs,
): { url: string; expiresAt: number } {
  const payload = Buffer.concat([toBytes(fileId), toBytes(viewer.userId), Buffer.alloc(6)]);
  payload.writeUIntBE(expiresAt, 2 * idBytes, 6);
  const sealed = linkSeal.close(payload.toString("latin1"), subject);
  const token = Buffer.from(sealed, "base64").toString("base64url");
  return { url: `${config.baseUrl}/api/v1/downloads/${token}`, expiresAt };
}

/**
 * Creates a download link that a user requested, with its audit event. It works until the file expires at most. Throws
 * `file_not_found`.
 */
export async function requestDownloadLink(
  context: FilesContext,
  caller: Caller,
  { fileId, expiresInSeconds }: { fileId: string; expiresInSeconds: number },
): Promise<FileLink> {
  const row = await findFileRow(context, caller, fileId);
  const requestedMs = context.clock.now() + expiresInSeconds * 1_000;
  const link = createDownloadLink(context, caller, fileId, Math.min(requestedMs, row.expires_at));
  const expiresAt = toTimestamp(link.expiresAt);
  const result = { url: link.url, expiresAt };
  const event = { action: "file.create_link", details: { expiresAt } } as const;
  const isWritten = await commitWrite(context, caller, result, [
    auditFile(context, caller, row, event),
  ]);
  if (!isWritten) throw lostKey();
  return result;
}

/**
 * The file of a download link. Its user must still be a member of the workspace and may still see the file. Throws
 * `file_not_found`, also for a link that is invalid or has expired.
 */
export async function openDownloadLink(
  context: FilesContext,
  token: string,
): Promise<OpenableFile> {
  const link = readLink(context, token);
  if (link === undefined || link.expiresAt <= context.clock.now()) throw linkNotFound();
  const { fileId, userId } = link;
  const workspaceId = await findWorkspaceOfFile(context.db, { fileId, memberId: userId });
  if (workspaceId === undefined) throw linkNotFound();
  return getFile(context, { workspaceId, userId }, fileId);
}

function readLink({ linkSeal }: FilesContext, token: string) {
  if (token.length > 200) return undefined;
  let payload: Buffer;
  try {
    const sealed = Buffer.from(token, "base64url");
    // Other spellings of the same bytes are not links.
    if (sealed.toString("base64url") !== token) return undefined;
    payload = Buffer.from(linkSeal.open(sealed.toString("base64"), subject), "latin1");
  } catch {
    return undefined;
  }
  if (payload.length !== payloadBytes) return undefined;
  return {
    fileId: toId(payload.subarray(0, idBytes)),
    userId: toId(payload.subarray(idBytes, 2 * idBytes)),
    expiresAt: payload.readUIntBE(2 * idBytes, 6),
  };
}

function toBytes(id: string): Buffer {
  if (!isId(id)) throw new Error("A download link needs IDs of the service");
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function toId(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function linkNotFound(): ServiceError {
  return new ServiceError("file_not_found", "This link is invalid or has expired.");
}
