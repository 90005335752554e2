import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { mediaTypeOfName } from "@toolhost/contract/media-types";
import type { Client, UploadedFile, UploadOptions } from "./index.ts";

/** Uploads a file of this machine, which is read while it is sent. Its media type is that of its name, unless an option sets it. */
export async function uploadPath(
  client: Pick<Client, "files">,
  path: string,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const blob = await openAsBlob(path);
  const fileName = options.fileName ?? basename(path);
  const mimeType = options.mimeType ?? mediaTypeOfName(basename(path));
  return client.files.upload(blob, { ...options, fileName, mimeType });
}
