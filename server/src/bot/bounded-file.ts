import type { Readable } from "node:stream";
import { ChatError } from "#core/chat";

/** The bytes of a file of a chat, as long as they are no more. Throws `ChatError` "refused" for what goes beyond. */
export async function* boundedFile(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}

export function tooLarge(): ChatError {
  return new ChatError("refused", "a file: too large", { kind: "too_large" });
}
