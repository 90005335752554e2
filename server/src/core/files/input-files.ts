import type { ErrorDetail } from "@toolhost/contract";
import type { FilesContext } from "./context.ts";
import { isId } from "#lib/ids";
import { toPointer } from "#lib/pointer";
import { findReadyIds, noteUse } from "./file-store.ts";
import type { FileViewer } from "./file-store.ts";

const maxFiles = 100;

type FileInput = {
  fileFields: readonly string[];
  input: unknown;
  /** The files that the input may name. Defaults to all files that the viewer may open. */
  fileIds?: ReadonlySet<string> | undefined;
};

type NamedFile = { path: string; value: unknown };

/**
 * Checks the files that an input names in the tool's file fields. The errors do not reveal whether a file belongs to another
 * user, has expired or never existed.
 */
export async function checkInputFiles(
  context: FilesContext,
  viewer: FileViewer,
  { fileFields, input, fileIds }: FileInput,
): Promise<ErrorDetail[]> {
  const named = filesNamed(fileFields, input);
  if (named.length === 0) return [];
  if (named.length > maxFiles) {
    return [{ path: "", message: `must name at most ${maxFiles} files` }];
  }
  const ids = named.flatMap(({ value }) => idOf(value) ?? []);
  const now = context.clock.now();
  const ready =
    ids.length === 0 ? new Set<string>() : await findReadyIds(context.db, viewer, { ids, now });
  const isUsable = (value: unknown) =>
    typeof value === "string" && ready.has(value) && fileIds?.has(value) !== false;
  return named
    .filter(({ value }) => !isUsable(value))
    .map(({ path }) => ({
      path,
      message: "must be the ID of an uploaded file that you have access to",
    }));
}

/** Records that a run uses these files, which decides who else may open the caller's uploads. */
export async function noteFileUse(
  { db }: Pick<FilesContext, "db">,
  viewer: FileViewer,
  { ids, isPrivate }: { ids: ReadonlySet<string>; isPrivate: boolean },
): Promise<void> {
  if (ids.size > 0) await db.transact(noteUse(db, viewer, { ids: [...ids], isPrivate }));
}

/** The IDs in the file fields of a checked input. */
export function inputFileIds(fileFields: readonly string[], input: unknown): Set<string> {
  return new Set(filesNamed(fileFields, input).flatMap(({ value }) => idOf(value) ?? []));
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" && isId(value) ? value : undefined;
}

/** A file field contains an ID or an array of IDs. A missing or null field contains none. */
function filesNamed(fileFields: readonly string[], input: unknown): NamedFile[] {
  if (typeof input !== "object" || input === null) return [];
  const fields = new Map<string, unknown>(Object.entries(input));
  return fileFields.flatMap((field) => {
    const value = fields.get(field) ?? undefined;
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [{ path: toPointer([field]), value }];
    return value.map((member: unknown, index) => ({
      path: toPointer([field, String(index)]),
      value: member,
    }));
  });
}
