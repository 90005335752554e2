import { ServiceError } from "#core/kernel";
import type { ByteRange, OpenableFile } from "#core/files";
import { namesTag } from "./entity-tags.ts";

/** Headers of a response with the bytes of a file, and of a 304. */
export function fileHeaders(file: OpenableFile) {
  const whenUnchanged = {
    etag: etagOf(file),
    // A cache revalidates on every request, so that permissions are checked again.
    "cache-control": "private, no-cache",
  };
  const isImage = file.imageType !== null;
  const withBytes = (range: ByteRange | undefined) => ({
    ...whenUnchanged,
    "accept-ranges": "bytes",
    "content-type": file.imageType ?? file.mimeType,
    "content-length": String(range === undefined ? file.size : range.end - range.start + 1),
    ...(range === undefined
      ? {}
      : { "content-range": `bytes ${range.start}-${range.end}/${file.size}` }),
    "content-disposition": disposition(isImage ? "inline" : "attachment", file.fileName),
    // If a browser displays the file anyway, no script runs and no other site can embed it.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  return { whenUnchanged, withBytes };
}

/** RFC 6266, with the name as RFC 8187 and an ASCII fallback. */
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

/** Whether the cached copy of a client is current (RFC 9110, section 13.1.2). */
export function isUnchanged(headers: Headers, file: OpenableFile): boolean {
  return namesTag(headers.get("if-none-match"), etagOf(file));
}

/**
 * The requested range. Undefined for the whole file, which RFC 9110, section 14.2 also allows for several ranges and for
 * unknown units. Throws `range_not_satisfiable`.
 */
export function readRange(headers: Headers, file: OpenableFile): ByteRange | undefined {
  const requested = headers.get("range");
  const condition = headers.get("if-range");
  if (requested === null || (condition !== null && condition !== etagOf(file))) return undefined;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(requested.trim()) ?? [];
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
