import { pipeline, Readable, Transform } from "node:stream";
import { domainToUnicode } from "node:url";
import { pairsOf } from "./headers.ts";
import { createRedactor, redactionOf, utf8InHeader } from "./redaction.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import { credentialNotAllowed } from "./secrets.ts";
import type { SecretsOfRun } from "./secrets.ts";
import type { Target } from "./target.ts";
import { addressFormsOf } from "./value-forms.ts";

/** Replaces a host name that contains a secret in reports and errors. */
const UNNAMED = "(a host name that contains a credential)";

/**
 * Throws `EgressDeniedError` if a target's host name contains an exposed value that is not allowed for it. Must be called
 * before the name is resolved, recorded or reported.
 */
export function denyWithheldHost(
  withheld: SecretsOfRun,
  target: Target,
  deny: (name: string, reason: string) => EgressDeniedError,
): void {
  const written = [target.host, domainToUnicode(target.host)];
  const names = written.flatMap((name) => [name, name.replaceAll(".", "")]);
  for (const secret of withheld) {
    if (names.some((name) => isInSmallText(name, secret))) {
      throw deny(UNNAMED, credentialNotAllowed(secret, { ...target, name: UNNAMED }));
    }
  }
}

type Head = { path: string; headers: readonly string[] };

/**
 * The same for the path and headers of a request, in any encoding that is also redacted in responses. `headers` is a
 * flat list of names and values.
 */
export function denyWithheldHead(
  { path, headers }: Head,
  withheld: SecretsOfRun,
  target: Target,
): void {
  if (withheld.length === 0) return;
  // The part of a URL from `#` on is not sent, so `#` ends the searched text.
  const text = [`${path}#`, ...headers.flatMap(readings)].join("\n");
  const names = pairsOf([...headers])
    .map(([name]) => name.toLowerCase())
    .join("\n");
  for (const secret of withheld) {
    if (searchOf(secret).isIn(text) || isInSmallText(names, secret)) {
      throw denialOf(secret, target);
    }
  }
}

type Search = { isIn: (text: string) => boolean; isSmallIn: (text: string) => boolean };

const searches = new WeakMap<SecretsOfRun[number], Search>();

/** Created once for each secret of a run. */
function searchOf(secret: SecretsOfRun[number]): Search {
  let search = searches.get(secret);
  if (search === undefined) {
    const { name, value } = secret;
    const forms = addressFormsOf(value).map((form) => ({ name, value: form }));
    const redact = createRedactor([secret, ...forms]);
    const redactSmall = createRedactor([{ name, value: value.toLowerCase() }]);
    search = {
      isIn: (text) => redact(text) !== text,
      isSmallIn: (text) => redactSmall(text) !== text,
    };
    searches.set(secret, search);
  }
  return search;
}

/** Host and header names are lowercased, so the lowercased value is searched for as well. */
function isInSmallText(text: string, secret: SecretsOfRun[number]): boolean {
  const { isIn, isSmallIn } = searchOf(secret);
  return isIn(text) || isSmallIn(text);
}

/** The readings of a header: as Latin-1, as UTF-8, and both for decoded Basic authentication. */
function readings(text: string): string[] {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(text) ?? [];
  const pair = encoded === undefined ? [] : [Buffer.from(encoded, "base64").toString("latin1")];
  const all = [text, ...pair];
  return [...all, ...all.map(utf8InHeader).filter((one) => one !== undefined)];
}

/** Bodies up to this size are searched completely before the request is sent. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Returns a body that fails with `EgressDeniedError` before such a value is sent. A short body is read to its end
 * first.
 */
export async function guardBody(
  body: Readable,
  { withheld, target, length }: { withheld: SecretsOfRun; target: Target; length?: string },
): Promise<Readable> {
  if (withheld.length === 0) return body;
  const guarded = guard(body, withheld, target);
  if (length === undefined || Number(length) > MAX_BUFFERED_BYTES) return guarded;
  const chunks: Buffer[] = [];
  for await (const chunk of guarded) chunks.push(chunk as Buffer);
  return Readable.from(chunks, { objectMode: false });
}

/**
 * Compares a body with its redacted form, so that requests and responses are searched for the same encodings. Bytes that
 * redaction still holds back are not sent yet.
 */
function guard(body: Readable, secrets: SecretsOfRun, target: Target): Readable {
  let sent: Buffer = Buffer.alloc(0);
  const remember = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent = sent.length === 0 ? chunk : Buffer.concat([sent, chunk]);
      done(null, chunk);
    },
  });
  const compare = new Transform({
    transform(cleaned: Buffer, _encoding, done) {
      const original = sent.subarray(0, cleaned.length);
      if (!original.equals(cleaned)) {
        done(denialOf(secretIn(cleaned, secrets), target));
        return;
      }
      sent = sent.subarray(cleaned.length);
      done(null, cleaned);
    },
  });
  const redaction = redactionOf(undefined, secrets, target.name, Infinity);
  // Errors surface on the returned stream.
  return pipeline([body, remember, ...redaction, compare], () => {}) as unknown as Readable;
}

/** The credential whose mark is in the redacted body. */
function secretIn(cleaned: Buffer, secrets: SecretsOfRun): SecretsOfRun[number] | undefined {
  return secrets.find(({ name }) => cleaned.includes(` ${name}]`)) ?? secrets[0];
}

function denialOf(secret: SecretsOfRun[number] | undefined, target: Target): EgressDeniedError {
  const reason =
    secret === undefined ? "it contains a credential" : credentialNotAllowed(secret, target);
  return new EgressDeniedError(target.name, reason);
}
