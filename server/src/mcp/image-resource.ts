import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { getFile, readFileBytes } from "#core/files";

/** The URI scheme of images that are files of the workspace. */
export const imageScheme = "toolhost-file://";

const maxBytes = 2_000_000;

/**
 * Reads an image for clients without a browser session, such as the widget. Throws `file_not_found` also for files that are
 * not a safe image type or are too large for a message; clients download these through REST.
 */
export async function readImage(
  context: Context,
  caller: Caller,
  uri: string,
): Promise<JsonObject> {
  const file = await getFile(context, caller, uri.slice(imageScheme.length));
  if (file.imageType === null || file.size > maxBytes) {
    throw new ServiceError(
      "file_not_found",
      "Only images of up to 2 MB can be read as a resource.",
    );
  }
  const bytes = await readFileBytes(file);
  return { uri, mimeType: file.imageType, blob: bytes.toString("base64") };
}
