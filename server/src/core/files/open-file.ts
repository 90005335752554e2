import type { Readable } from "node:stream";
import { notFound } from "#core/kernel";
import type { FilesContext } from "./context.ts";
import type { FileTable } from "#db";
import { isId } from "#lib/ids";
import { keyOf } from "./file-storage.ts";
import type { ByteRange } from "./file-storage.ts";
import { findReadyFile, findSavedRows } from "./file-store.ts";
import type { FileViewer } from "./file-store.ts";

/** A file that the viewer may open. */
export type OpenableFile = {
  fileName: string;
  mimeType: string;
  /** The run that saved it, if one did. */
  runId: string | null;
  /** The detected type, if it is an image that browsers can show safely. */
  imageType: string | null;
  size: number;
  sha256: string;
  /** Opens the bytes or a range of them. The caller must read to the end or destroy the stream. */
  open(range?: ByteRange): Promise<Readable>;
};

/** Finds a file that the viewer may open. Throws `file_not_found`, also for an expired one. */
export async function getFile(
  context: FilesContext,
  viewer: FileViewer,
  id: string,
): Promise<OpenableFile> {
  return openable(context, await findFileRow(context, viewer, id));
}

/** The row of a file that the viewer may open. Throws `file_not_found`, also for an expired one. */
export async function findFileRow(
  { db, clock }: Pick<FilesContext, "db" | "clock">,
  viewer: FileViewer,
  id: string,
): Promise<FileTable> {
  const row = isId(id) ? await findReadyFile(db, viewer, { id, now: clock.now() }) : undefined;
  if (row === undefined) throw notFound("file_not_found", "file", { id });
  return row;
}

/** The files among the ids that runs saved and that the viewer may open, oldest first. */
export async function findSavedFiles(
  context: FilesContext,
  viewer: FileViewer,
  ids: readonly string[],
): Promise<({ fileId: string } & OpenableFile)[]> {
  if (ids.length === 0) return [];
  const rows = await findSavedRows(context.db, viewer, { ids, now: context.clock.now() });
  return rows.map((row) => ({ fileId: row.id, ...openable(context, row) }));
}

/** The bytes of a file, for one whose size is known to be small. */
export async function readFileBytes(file: OpenableFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await file.open()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function openable({ fileStorage }: FilesContext, row: FileTable): OpenableFile {
  return {
    fileName: row.name,
    mimeType: row.mime_type,
    runId: row.run_id,
    imageType: row.image_type,
    size: row.size,
    sha256: row.sha256 ?? "",
    open: (range) => fileStorage.open(keyOf(row), range),
  };
}
