import { ServiceError } from "#core/kernel";
import type { ByteRange, OpenableFile } from "#core/files";

/** Headers of a file's answers: with bytes, and of a 304, which speaks of the copy that is there. */
export function fileHeaders(file: OpenableFile) {
  const ofCopy = {
    etag: etagOf(file),
    // Whoever keeps a copy asks each time whether it may still be used, and by whom.
    "cache-control": "private, no-cache",
  };
  const isImage = file.imageType !== null;
  const ofBytes = (range: ByteRange | undefined) => ({
    ...ofCopy,
    "accept-ranges": "bytes",
    "content-type": file.imageType ?? file.mimeType,
    "content-length": String(range === undefined ? file.size : range.end - range.start + 1),
    ...(range === undefined
      ? {}
      : { "content-range": `bytes ${range.start}-${range.end}/${file.size}` }),
    "content-disposition": disposition(isImage ? "inline" : "attachment", file.fileName),
    // Should a browser show it nevertheless, nothing in it runs and no other site embeds it.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  return { ofCopy, ofBytes };
}

/** RFC 6266, with the name in the form of RFC 8187 and one for clients that know ASCII alone. */
function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name
    .normalize("NFD")
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain.trim() || "file"}"; filename*=UTF-8''${encoded}`;
}

function etagOf({ sha256 }: OpenableFile): string {
  return `"${sha256}"`;
}

/** Whether the copy that a client has is still right (RFC 9110, section 13.1.2). */
export function isUnchanged(headers: Headers, file: OpenableFile): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  const tags = new Set(known.split(",").map((tag) => tag.trim().replace(/^W\//, "")));
  return tags.has("*") || tags.has(etagOf(file));
}

/**
 * The range that a request asks for; undefined for the whole file, also when it asks for several ranges or in
 * a form that is not known, as RFC 9110, section 14.2 allows. Throws `range_not_satisfiable`.
 */
export function readRange(headers: Headers, file: OpenableFile): ByteRange | undefined {
  const asked = headers.get("range");
  const condition = headers.get("if-range");
  if (asked === null || (condition !== null && condition !== etagOf(file))) return undefined;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(asked.trim()) ?? [];
  if (first === "" && last === "") return undefined;
  const { size } = file;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start <= end) return { start, end };
  throw new ServiceError("range_not_satisfiable", `The file has ${size} bytes.`, {
    headers: { "content-range": `bytes */${size}` },
  });
}
