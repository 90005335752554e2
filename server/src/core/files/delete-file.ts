import { commitWrite, lostKey, mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { auditFile } from "./audit-file.ts";
import type { FilesContext } from "./context.ts";
import { changeFile, deleteFiles } from "./file-store.ts";
import { keyOf } from "./file-storage.ts";
import { findFileRow } from "./open-file.ts";

/**
 * Deletes a file. It is gone for everyone once this resolves; if its bytes cannot be deleted, the sweep does it. Throws
 * `file_not_found`, and `forbidden` for files of other users unless the caller is an admin.
 */
export async function deleteFile(
  context: FilesContext,
  caller: Caller,
  fileId: string,
): Promise<void> {
  const { db, fileStorage, log } = context;
  const row = await findFileRow(context, caller, fileId);
  if (row.user_id !== caller.userId && !mayDo(caller.role, "files:oversee")) {
    throw new ServiceError("forbidden", "Only the file's owner and admins can delete it.");
  }
  const isWritten = await commitWrite(context, caller, undefined, [
    { query: changeFile(db, row, { expires_at: 0 }), mustChange: true },
    auditFile(context, caller, row, { action: "file.delete" }),
  ]);
  if (!isWritten) {
    // Another request may have deleted it since it was read.
    await findFileRow(context, caller, fileId);
    throw lostKey();
  }
  await fileStorage
    .remove(keyOf(row))
    .then(() => deleteFiles(db, [row.id]))
    .catch((error: unknown) => log.debug({ err: error }, "the sweep will delete a file's bytes"));
}
