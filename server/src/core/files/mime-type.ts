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

/** A media type for a file of which none was said: what a server says of it, or what its name looks like. */
export function mimeTypeOf(fileName: string, said?: string): string {
  const type = said?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isOne = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type);
  if (isOne && type !== unknownType) return type;
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return types[ending] ?? unknownType;
}
