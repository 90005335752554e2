const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  svg: "image/svg+xml",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wav: "audio/wav",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

const unknownType = "application/octet-stream";

/** Determines the media type from the declared one, otherwise from the file name extension. */
export function mimeTypeOf(fileName: string, declared?: string): string {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isValid = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type);
  if (isValid && type !== unknownType) return type;
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return types[ending] ?? unknownType;
}
