import { textAt } from "@toolhost/tool-schema/json";
import type { FileReference } from "../result/link.ts";
import type { Host } from "./host.ts";

/** Loads an image through the host as a `data:` URL; undefined if it is not available. */
export async function loadImage(
  readResource: NonNullable<Host["readResource"]>,
  { fileId }: FileReference,
): Promise<string | undefined> {
  const [content] = await readResource(`toolhost-file://${fileId}`);
  const blob = content === undefined ? undefined : textAt(content, "blob");
  const mimeType = content === undefined ? undefined : textAt(content, "mimeType");
  if (mimeType === undefined || !/^image\/[a-z]+$/.test(mimeType)) return undefined;
  if (blob === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(blob)) return undefined;
  return `data:${mimeType};base64,${blob}`;
}
