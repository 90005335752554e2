import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import type { Client, UploadedFile, UploadOptions } from "./index.ts";

/** Uploads a file of this machine, which is read while it is sent. */
export async function uploadPath(
  client: Pick<Client, "files">,
  path: string,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const blob = await openAsBlob(path);
  return client.files.upload(blob, { fileName: basename(path), ...options });
}
