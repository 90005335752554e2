import { pipeline, Readable, Transform } from "node:stream";
import { domainToUnicode } from "node:url";
import { pairsOf } from "./headers.ts";
import { createRedactor, redactionOf, utf8InHeader } from "./redaction.ts";
import { credentialNotAllowed, EgressDeniedError } from "./egress-errors.ts";
import type { SecretsOfRun } from "./secrets.ts";
import type { Target } from "./target.ts";
import { addressFormsOf } from "./value-forms.ts";

/** What records and errors call a host whose name holds a value. */
const UNNAMED = "(a host name that holds a credential)";

/**
 * Throws `EgressDeniedError` when the name of a target holds a value that the run's code sees and that is not for it. Comes
 * before the name is looked up, recorded or told to anybody.
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
      throw deny(UNNAMED, credentialNotAllowed(secret.name));
    }
  }
}

type Head = { path: string; headers: readonly string[] };

/**
 * The same for a value in the address or a header of a request, in any spelling that answers are cleaned of. `headers`
 * are names and values in a flat list.
 */
export function denyWithheldHead(
  { path, headers }: Head,
  withheld: SecretsOfRun,
  target: Target,
): void {
  if (withheld.length === 0) return;
  // What follows `#` in an address is not sent.
  const text = [`${path}#`, ...headers.flatMap(readings)].join("\n");
  const names = pairsOf([...headers])
    .map(([name]) => name.toLowerCase())
    .join("\n");
  for (const secret of withheld) {
    if (searchOf(secret).isIn(text) || isInSmallText(names, secret)) {
      throw denialOf(secret.name, target);
    }
  }
}

type Search = { isIn: (text: string) => boolean; isSmallIn: (text: string) => boolean };

const searches = new WeakMap<SecretsOfRun[number], Search>();

/** Made once for each secret of a run. */
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

/** Names of hosts and headers are written in small letters. */
function isInSmallText(text: string, secret: SecretsOfRun[number]): boolean {
  const { isIn, isSmallIn } = searchOf(secret);
  return isIn(text) || isSmallIn(text);
}

/** A header, what its bytes are as UTF-8, and what Basic packs in it. */
function readings(text: string): string[] {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(text) ?? [];
  const pair = encoded === undefined ? [] : [Buffer.from(encoded, "base64").toString("latin1")];
  const all = [text, ...pair];
  return [...all, ...all.map(utf8InHeader).filter((one) => one !== undefined)];
}

/** Bodies up to this size are searched to their end before anything of the request leaves. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * The same body, which fails with `EgressDeniedError` where it holds such a value; the value does not leave. A short body
 * is read to its end first.
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
 * Compares a body with what cleaning makes of it, so that both find the same spellings. What cleaning still looks at
 * has not left yet.
 */
function guard(body: Readable, secrets: SecretsOfRun, target: Target): Readable {
  let sent: Buffer = Buffer.alloc(0);
  const note = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent = sent.length === 0 ? chunk : Buffer.concat([sent, chunk]);
      done(null, chunk);
    },
  });
  const compare = new Transform({
    transform(cleaned: Buffer, _encoding, done) {
      const original = sent.subarray(0, cleaned.length);
      if (!original.equals(cleaned)) {
        done(denialOf(nameIn(cleaned, secrets), target));
        return;
      }
      sent = sent.subarray(cleaned.length);
      done(null, cleaned);
    },
  });
  const cleaning = redactionOf(undefined, secrets, target.name, Infinity);
  // Its errors are those of the stream that is given back.
  return pipeline([body, note, ...cleaning, compare], () => {}) as unknown as Readable;
}

/** The credential whose mark cleaning has put there. */
function nameIn(cleaned: Buffer, secrets: SecretsOfRun): string {
  const marked = secrets.find(({ name }) => cleaned.includes(` ${name}]`)) ?? secrets[0];
  return marked?.name ?? "";
}

function denialOf(name: string, target: Target): EgressDeniedError {
  return new EgressDeniedError(target.name, credentialNotAllowed(name));
}
