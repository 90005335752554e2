import { FolderError } from "./folder-error.ts";
import { messages } from "./messages.ts";

const { problems } = messages;
const block = 512;
/** Of the unpacked archive: a small archive can unpack to a large one. */
const maxBytes = 16 * 1024 * 1024;

/** Whether a file is named like an archive of "Export as folder". */
export function isArchive({ name }: File): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(name);
}

/** The files in a compressed tar archive (POSIX ustar) by their path. Throws `FolderError`. */
export async function readArchive(archive: File): Promise<Map<string, File>> {
  const bytes = await unpack(archive);
  const files = new Map<string, File>();
  for (let at = 0; at + block <= bytes.length;) {
    const header = bytes.subarray(at, at + block);
    // An empty block ends the archive.
    if (header.every((byte) => byte === 0)) break;
    const size = Number.parseInt(textAt(header, 124, 12).trim() || "0", 8);
    const start = at + block;
    if (textAt(header, 257, 5) !== "ustar" || !(size >= 0) || start + size > bytes.length) {
      throw new FolderError(problems.noArchive(archive.name));
    }
    const path = [textAt(header, 345, 155), textAt(header, 0, 100)].filter(Boolean).join("/");
    const isFile = ["0", ""].includes(textAt(header, 156, 1));
    if (isFile) {
      files.set(path, new File([bytes.slice(start, start + size)], path.split("/").at(-1) ?? ""));
    }
    at = start + Math.ceil(size / block) * block;
  }
  return files;
}

async function unpack(archive: File): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const stream = archive.stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of stream) {
      size += part.length;
      if (size > maxBytes) break;
      parts.push(part);
    }
  } catch {
    throw new FolderError(problems.noArchive(archive.name));
  }
  if (size > maxBytes) throw new FolderError(problems.largeArchive(archive.name));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A text field of a header, which a zero byte ends. */
function textAt(header: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(header.subarray(start, start + length));
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}
