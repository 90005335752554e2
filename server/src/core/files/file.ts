import type { UploadedFile } from "@toolhost/contract";
import type { Config } from "#config";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import type { FileTable } from "#db";
import { toTimestamp } from "#lib/clock";

/** In whose name a file is made: a caller, or a run for the one who asked for it. */
export type Maker = Pick<
  Caller,
  "userId" | "workspaceId" | "actor" | "via" | "ip" | "idempotency"
> & {
  requestId: string | null;
};

/** What is said of a file's bytes. */
export type FileInfo = { fileName: string; mimeType: string };

const maxNameLength = 255;

/** A name that can be shown and saved anywhere: without folders, control characters and tricks of direction. */
export function cleanFileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const clean = last.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufffd]/gu, "").trim();
  // The cut may go through the middle of a character.
  const short = clean
    .normalize("NFC")
    .slice(0, maxNameLength)
    .replace(/\p{Cs}$/u, "");
  return /^\.*$/.test(short) ? "file" : short;
}

/** The size of a file whose bytes are awaited and may be as many as the server takes. */
export const unknownSize = -1;

/** A file as its upload is answered; of one whose size is not known yet, 0. */
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

/** How long a file is kept, in milliseconds. */
export function retentionMs({ FILE_RETENTION_HOURS: hours }: Config): number {
  return hours * 3_600_000;
}

/** The refusal for what is not there, or not there for the caller. */
export function fileNotFound(): ServiceError {
  return new ServiceError("file_not_found", "File not found, or you don't have access to it.");
}
