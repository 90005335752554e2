import type { ListedFile } from "@toolhost/contract";
import { toTimestamp } from "#lib/clock";
import { cutPage } from "#lib/page";
import type { FilesContext } from "./context.ts";
import { presentFile } from "./file.ts";
import { findVisibleFiles } from "./file-store.ts";
import type { FileFilter, FileViewer } from "./file-store.ts";

/** The files that the viewer may open, newest first, without those that have expired. */
export async function listFiles(
  { db, clock }: Pick<FilesContext, "db" | "clock">,
  viewer: FileViewer,
  filter: FileFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ files: ListedFile[]; next: string | undefined }> {
  const page = { limit: limit + 1, after, now: clock.now() };
  const rows = await findVisibleFiles(db, viewer, filter, page);
  const { shown, next } = cutPage(rows, limit, ({ id }) => id);
  const files = shown.map((row) => {
    const { status: _, ...file } = presentFile(row);
    const createdAt = toTimestamp(row.created_at);
    return { ...file, runId: row.run_id, userId: row.user_id, createdAt };
  });
  return { files, next };
}
