import { sql } from "kysely";
import { capSteps, sumCapSteps } from "#core/limits";
import type { FilesContext } from "./context.ts";
import type { FileTable, TransactionStep } from "#db";

type CapContext = Pick<FilesContext, "config" | "db">;
type Place = Pick<FileTable, "workspace_id">;

/**
 * Steps before a file's row is written: `quota_exceeded` when the workspace has too many files or bytes. Every row
 * counts, whatever its state: an announced upload reserves its size, and an expired file counts until its bytes are deleted.
 */
export function capFiles(context: CapContext, file: Place, size: number): TransactionStep[] {
  const { workspace_id: workspaceId } = file;
  return [
    ...capSteps(context, "files", {
      subject: workspaceId,
      existing: sql`select 1 from files where workspace_id = ${workspaceId}`,
    }),
    ...capFileBytes(context, file, size),
  ];
}

/** The same for a row that is there already and now gets its size. */
export function capFileBytes(
  context: CapContext,
  { workspace_id: workspaceId }: Place,
  size: number,
): TransactionStep[] {
  return sumCapSteps(context, "file-bytes", {
    subject: workspaceId,
    // Of an upload whose size was not announced, none is counted until it is known.
    used: sql`select coalesce(sum(case when size > 0 then size else 0 end), 0)
      from files where workspace_id = ${workspaceId}`,
    added: size,
  });
}
