import { sql } from "kysely";
import { capSteps, sumCapSteps } from "#core/limits";
import type { FilesContext } from "./context.ts";
import type { FileTable, TransactionStep } from "#db";

type CapContext = Pick<FilesContext, "config" | "db">;
type FileOwner = Pick<FileTable, "workspace_id">;

/**
 * The steps that go before the insert of a file: they throw `quota_exceeded` if the workspace has too many files or bytes. Rows in
 * every state count: an announced upload reserves its size, and an expired file counts until its bytes are deleted.
 */
export function capFiles(context: CapContext, file: FileOwner, size: number): TransactionStep[] {
  const { workspace_id: workspaceId } = file;
  return [
    ...capSteps(context, "files", {
      subject: workspaceId,
      existing: sql`select 1 from files where workspace_id = ${workspaceId}`,
    }),
    ...capFileBytes(context, file, size),
  ];
}

/** The same for an existing row whose size is now known. */
export function capFileBytes(
  context: CapContext,
  { workspace_id: workspaceId }: FileOwner,
  size: number,
): TransactionStep[] {
  return sumCapSteps(context, "file-bytes", {
    subject: workspaceId,
    // An upload of unknown size counts only once its size is known.
    used: sql`select coalesce(sum(case when size > 0 then size else 0 end), 0)
      from files where workspace_id = ${workspaceId}`,
    added: size,
  });
}
