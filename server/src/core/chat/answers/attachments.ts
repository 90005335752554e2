import type { JsonObject, Skill } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import type { Json } from "./json.ts";
import { attachmentName } from "./prompt.ts";
import type { AttachedFiles } from "./subject.ts";

/** Moves attachment names from the file fields of an input to the files that they refer to. */
export function splitAttachments(
  { fileFields }: Pick<Skill, "fileFields">,
  input: JsonObject,
  files: readonly ChatFile[],
): { input: JsonObject; attached: AttachedFiles } {
  const attached: Record<string, readonly ChatFile[]> = {};
  const rest = { ...input };
  for (const field of fileFields) {
    const named = Object.hasOwn(input, field) ? meant(input[field], files) : undefined;
    if (named === undefined) continue;
    attached[field] = named;
    delete rest[field];
  }
  return { input: rest, attached };
}

/** The files that a value refers to; undefined for any other value, such as a file ID. */
function meant(value: Json | undefined, files: readonly ChatFile[]): ChatFile[] | undefined {
  const names = Array.isArray(value) ? value : [value];
  const found = names.map((name) => files.find((_, index) => attachmentName(index) === name));
  return found.length > 0 && found.every((file) => file !== undefined) ? found : undefined;
}
