import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { getFile } from "#core/files";

/** Begins the address of an image that is a file of the workspace. */
export const imageScheme = "toolhost-file://";

const maxBytes = 2_000_000;

/**
 * The bytes of an image for whoever shows a result where no browser is signed in, such as the widget. Throws `file_not_found`,
 * also for what is no image that is safe to show or is too large for a message: that is downloaded by REST.
 */
export async function readImage(
  context: Context,
  caller: Caller,
  uri: string,
): Promise<JsonObject> {
  const file = await getFile(context, caller, uri.slice(imageScheme.length));
  if (file.imageType === null || file.size > maxBytes) {
    throw new ServiceError("file_not_found", "Only images of up to 2 MB are read here.");
  }
  const parts: Buffer[] = [];
  for await (const part of await file.open()) parts.push(part as Buffer);
  return { uri, mimeType: file.imageType, blob: Buffer.concat(parts).toString("base64") };
}
