import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { auditEvent } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { FileTable } from "#db";
import type { FilesContext } from "./context.ts";

type FileAction = {
  action: "file.delete" | "file.create_link";
  details?: Record<string, string | number>;
};

/** The step that writes an audit event, visible only to those who may see the file. */
export function auditFile(
  { db, clock }: Pick<FilesContext, "db" | "clock">,
  caller: Caller,
  row: Pick<FileTable, "id" | "name" | "size" | "run_id" | "user_id">,
  { action, details = {} }: FileAction,
): CompiledQuery {
  const target = {
    action,
    target: row.id,
    details: { fileName: row.name, runId: row.run_id, ...details },
  };
  const event = auditEvent(clock.now(), caller, target);
  const private_to = sql<string | null>`coalesce(
    (select user_id from runs where id = ${row.run_id} and is_private = 1),
    (select user_id from files where id = ${row.id} and run_id is null and audience = 'owner'))`;
  return db.kysely
    .insertInto("audit_events")
    .values({ ...event, private_to })
    .compile();
}
