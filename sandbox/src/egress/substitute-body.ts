import type { Readable } from "node:stream";
import { replaceStream } from "./replace-stream.ts";
import { recordUse, secretsFor, encodeValue, type Encoding, type SecretsOfRun } from "./secrets.ts";
import type { Target } from "./target.ts";

type Body = {
  /** The content type, in lower case. It determines how values are encoded. */
  type: string;
  /** The `Content-Length` that the tool declared, if any. */
  length: string | undefined;
  secrets: SecretsOfRun;
  target: Target;
};

/** Bodies up to this size are buffered, so that they can be sent with a known length. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Substitutes values for placeholders in a request body, encoded for its content type. Returns the same body if no
 * secret is allowed for the target. Streams larger bodies without a length.
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
