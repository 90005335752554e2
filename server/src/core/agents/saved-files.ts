import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { createDownloadLink, findSavedFiles, readFileBytes } from "#core/files";
import type { OpenableFile } from "#core/files";
import { toTimestamp } from "#lib/clock";
import { isJsonObject } from "#lib/json-object";
import type { AgentsContext } from "./context.ts";

/** A file that a run saved, with a link that works without a credential. */
export type SavedFile = {
  name: string;
  mimeType: string;
  size: number;
  url: string;
  expiresAt: string;
  /** The bytes of a small image. */
  image?: Buffer;
};

const maxFiles = 20;
const maxImages = 4;
const maxImageBytes = 256 * 1024;
/** How much of an output is searched for files. */
const maxValues = 20_000;
const fileId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const maxIdCharacters = 2_000;

/** The files in an output that runs saved and that the caller may open. */
export async function findOutputFiles(
  context: AgentsContext,
  caller: Caller,
  output: JsonObject,
): Promise<SavedFile[]> {
  const found = await findSavedFiles(context, caller, idsIn(output));
  const withImage = new Set(found.filter(isSmallImage).slice(0, maxImages));
  return Promise.all(
    found.map(async (file): Promise<SavedFile> => {
      const { url, expiresAt } = createDownloadLink(context, caller, file.fileId);
      return {
        name: file.fileName,
        mimeType: typeOf(file),
        size: file.size,
        url,
        expiresAt: toTimestamp(expiresAt),
        ...(withImage.has(file) ? { image: await readFileBytes(file) } : {}),
      };
    }),
  );
}

/** IDs in the texts of an output, such as `fileId` and `url` of a file that the tool saved. */
function idsIn(output: JsonObject): string[] {
  const ids = new Set<string>();
  const rest: unknown[] = [output];
  for (let read = 0; rest.length > 0 && read < maxValues && ids.size < maxFiles; read++) {
    const value = rest.pop();
    if (typeof value === "string") {
      for (const [id] of value.slice(0, maxIdCharacters).matchAll(fileId)) ids.add(id);
    } else if (Array.isArray(value)) rest.push(...value.slice(0, maxValues));
    else if (isJsonObject(value)) rest.push(...Object.values(value).slice(0, maxValues));
  }
  return [...ids].slice(0, maxFiles);
}

/** Images are recognized by their bytes. A tool may claim any other type, which only names the file's content. */
function typeOf({ imageType, mimeType }: OpenableFile): string {
  if (imageType !== null) return imageType;
  return mimeType.startsWith("image/") ? "application/octet-stream" : mimeType;
}

function isSmallImage({ imageType, size }: OpenableFile): boolean {
  return imageType !== null && size <= maxImageBytes;
}
