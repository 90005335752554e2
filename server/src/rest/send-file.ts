import { Readable } from "node:stream";
import type { OpenableFile } from "#core/files";
import type { Streamed } from "./response.ts";
import { fileHeaders, isUnchanged, readRange } from "./file-headers.ts";

/** A response with the bytes of a file or one range of them, or 304. Throws `range_not_satisfiable`. */
export async function sendFile(
  file: OpenableFile,
  { headers, isHead }: { headers: Headers; isHead: boolean },
): Promise<Streamed<null>> {
  const headersOf = fileHeaders(file);
  if (isUnchanged(headers, file)) {
    return { status: 304, body: null, stream: null, headers: headersOf.whenUnchanged };
  }
  const range = readRange(headers, file);
  // Reads no faster than the client, and closes the file when the client disconnects.
  const stream = isHead
    ? null
    : (Readable.toWeb(await file.open(range)) as ReadableStream<Uint8Array>);
  return {
    status: range === undefined ? 200 : 206,
    body: null,
    stream,
    headers: headersOf.withBytes(range),
  };
}
