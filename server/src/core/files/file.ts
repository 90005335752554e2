import type { UploadedFile } from "@toolhost/contract";
import type { Config } from "#config";
import type { Caller } from "#core/kernel";
import type { FileTable } from "#db";
import { toTimestamp } from "#lib/clock";

/** On whose behalf a file is created: a caller, or a run on behalf of its caller. */
export type Maker = Pick<
  Caller,
  "userId" | "workspaceId" | "actor" | "via" | "ip" | "idempotency"
> & {
  requestId: string | null;
};

/** The client's description of a file. */
export type FileInfo = { fileName: string; mimeType: string };

const maxNameLength = 255;

/** Removes folders, control characters and bidirectional overrides, so that the name is safe to show and to save. */
export function cleanFileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const clean = last.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufffd]/gu, "").trim();
  // The cut may split a surrogate pair.
  const short = clean
    .normalize("NFC")
    .slice(0, maxNameLength)
    .replace(/\p{Cs}$/u, "");
  return /^\.*$/.test(short) ? "file" : short;
}

/** The size of an awaited upload without an announced size. */
export const unknownSize = -1;

/** The response for an uploaded file. An unknown size is shown as 0. */
export function presentFile(row: FileTable): UploadedFile {
  return {
    fileId: row.id,
    fileName: row.name,
    mimeType: row.mime_type,
    size: Math.max(0, row.size),
    sha256: row.sha256,
    status: row.status === "awaiting_upload" ? "awaiting_upload" : "ready",
    expiresAt: toTimestamp(row.expires_at),
  };
}

/** The retention of files, in milliseconds. */
export function retentionMs({ FILE_RETENTION_HOURS: hours }: Config): number {
  return hours * 3_600_000;
}
