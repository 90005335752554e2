import { mediaTypeOfName, unknownMediaType } from "@toolhost/contract/media-types";

/** Determines the media type from the declared one, otherwise from the file name extension. */
export function mimeTypeOf(fileName: string, declared?: string): string {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isValid = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type);
  if (isValid && type !== unknownMediaType) return type;
  return mediaTypeOfName(fileName);
}
