import type { Readable } from "node:stream";
import { ChatError } from "#core/chat";

/** The bytes of a file. Throws `ChatError` "refused" beyond `maxBytes`. */
export async function* boundedFile(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}

export function tooLarge(): ChatError {
  return new ChatError("refused", "file: too large", { kind: "too_large" });
}
