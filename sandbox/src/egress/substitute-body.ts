import type { Readable } from "node:stream";
import { replaceStream } from "./replace-stream.ts";
import { recordUse, secretsFor, encodeValue, type Encoding, type SecretsOfRun } from "./secrets.ts";
import type { Target } from "./target.ts";

type Body = {
  /** Of the body, in lower case; it says how a value is written in it. */
  type: string;
  /** As the tool declared it, if it did. */
  length: string | undefined;
  secrets: SecretsOfRun;
  target: Target;
};

/** Bodies up to this size are put together before they leave, so that they keep a known length. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * A request's body with values in the encoding of placeholders, written as its type demands. The very same body
 * when no secret is for the target; a longer one streams on without a length.
 */
export async function substituteInBody(
  body: Readable,
  { type, length, secrets, target }: Body,
): Promise<Readable | Buffer> {
  const usable = secretsFor(secrets, target);
  if (usable.length === 0) return body;
  const encoding = encodingOf(type);
  const substituted = body.pipe(
    replaceStream(
      usable.map((secret) => ({
        find: Buffer.from(secret.placeholder),
        put: Buffer.from(encodeValue(secret.value, encoding)),
        onPut: () => recordUse(secret, target),
      })),
    ),
  );
  body.once("error", (error) => substituted.destroy(error));
  body.once("close", () => {
    if (!body.readableEnded) substituted.destroy();
  });
  if (length === undefined || Number(length) > MAX_BUFFERED_BYTES) return substituted;
  const chunks: Buffer[] = [];
  for await (const chunk of substituted) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function encodingOf(type: string): Encoding {
  if (/^application\/(?:[a-z0-9.-]+\+)?json/.test(type)) return "json";
  return type.startsWith("application/x-www-form-urlencoded") ? "url" : "plain";
}
