import { Transform } from "node:stream";
import { callbackify } from "node:util";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { meter } from "./meter.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import type { NamedValue } from "./secret.ts";
import type { SecretMatch } from "./secret-match.ts";
import { createSecretScanner, SearchLimitError } from "./secret-scanner.ts";
import { searchBudget } from "../event-loop-budget.ts";

/** Replaces a secret. */
const mark = (name: string) => `[redacted ${name}]`;

/** Replaces a text that could not be searched within the limit, because any part of it may contain a secret. */
const unsearchable = "[redacted: text that takes too long to search for credentials]";

/** Removes secrets from texts. */
export type Redactor = {
  (text: string): string;
  /** The same, but yields to other work after each part of a long text. */
  inParts?: (text: string) => Promise<string>;
};

/** Bytes that are searched without a pause: a few milliseconds for the slowest text. */
const PART_BYTES = 32 * 1024;

const scratch = Buffer.alloc(256 * 1024);

/** A text as UTF-8, valid until the next call: allocating a buffer each time would cost more than the search. */
function bytesOf(text: string): Buffer {
  if (text.length * 3 > scratch.length) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
}

/** Creates a function that replaces each secret in a text with a mark, in any of its encodings. */
export function createRedactor(secrets: readonly NamedValue[]): Redactor {
  const redact = (text: string) => {
    const bytes = bytesOf(text);
    const matches = withinLimit(() => createSecretScanner(secrets).end(bytes));
    return matches === undefined ? unsearchable : replaced(text, matches, bytes.length);
  };
  const inParts = async (text: string) => {
    const bytes = Buffer.from(text);
    const scanner = createSecretScanner(secrets);
    const matches: SecretMatch[] = [];
    let at = 0;
    do {
      if (!searchBudget.hasTime()) await searchBudget.waitForTurn();
      const part = bytes.subarray(at, at + PART_BYTES);
      at += PART_BYTES;
      const found = searchBudget.countTime(() =>
        withinLimit(() => (at < bytes.length ? scanner.write(part) : scanner.end(part))),
      );
      if (found === undefined) return unsearchable;
      for (const match of found) matches.push(match);
    } while (at < bytes.length);
    return replaced(text, matches, bytes.length);
  };
  return Object.assign(redact, { inParts });
}

/** Returns undefined if the search exceeds its limit. */
function withinLimit<T>(search: () => T): T | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof SearchLimitError) return undefined;
    throw error;
  }
}

/** Redacts a text that may be long without blocking other work. */
export async function redactInParts(redact: Redactor, text: string): Promise<string> {
  return redact.inParts === undefined ? redact(text) : redact.inParts(text);
}

/** The UTF-8 text of a header, given its bytes as Latin-1, which is how HTTP libraries read and write headers. */
export function utf8InHeader(text: string): string | undefined {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, "latin1").toString() : undefined;
}

/** Redacts a header, given its bytes as Latin-1. */
export function redactHeader(redact: Redactor, header: string): string {
  const clean = redact(header);
  const text = utf8InHeader(clean);
  if (text === undefined) return clean;
  const cleanText = redact(text);
  return cleanText === text ? clean : Buffer.from(cleanText).toString("latin1");
}

function replaced(text: string, matches: readonly SecretMatch[], byteLength: number): string {
  if (matches.length === 0) return text;
  const isAscii = byteLength === text.length;
  const offsets = isAscii ? matches : offsetsIn(text, matches);
  let clean = "";
  let at = 0;
  for (const { from, to, name } of offsets) {
    clean += text.slice(at, from) + mark(name);
    at = to;
  }
  return clean + text.slice(at);
}

/** Converts the offsets of matches in UTF-8 to offsets in the text. */
function offsetsIn(text: string, matches: readonly SecretMatch[]): SecretMatch[] {
  let at = 0;
  let bytes = 0;
  const goTo = (offset: number) => {
    while (bytes < offset) {
      const codePoint = text.codePointAt(at) ?? 0;
      bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4;
      at += codePoint < 0x1_0000 ? 1 : 2;
    }
    return at;
  };
  return matches.map(({ from, to, name }) => ({ from: goTo(from), to: goTo(to), name }));
}

/** Replaces each secret in a stream with a mark. Fails with `EgressDeniedError` if the search exceeds its limit. */
function redactStream(secrets: readonly NamedValue[], host: string): Transform {
  const scanner = createSecretScanner(secrets);
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  const pass = (bytes: Buffer, isLast: boolean): Buffer => {
    const matches = searchBudget.countTime(() =>
      withinLimit(() => (isLast ? scanner.end(bytes) : scanner.write(bytes))),
    );
    if (matches === undefined) {
      throw new EgressDeniedError(host, "the body takes too long to search for credentials");
    }
    const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const parts: Buffer[] = [];
    let at = start;
    for (const { from, to, name } of matches) {
      parts.push(all.subarray(at - start, from - start), Buffer.from(mark(name)));
      at = to;
    }
    parts.push(all.subarray(at - start, scanner.resolvedTo - start));
    held = Buffer.from(all.subarray(scanner.resolvedTo - start));
    start = scanner.resolvedTo;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  };
  const passAll = callbackify(async (stream: Transform, chunk: Buffer, isLast: boolean) => {
    let at = 0;
    do {
      if (!searchBudget.hasTime()) await searchBudget.waitForTurn();
      const clean = pass(chunk.subarray(at, at + PART_BYTES), isLast);
      if (clean.length > 0) stream.push(clean);
      at += PART_BYTES;
    } while (at < chunk.length);
  });
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passAll(this, chunk, false, (error) => done(error));
    },
    flush(done) {
      passAll(this, Buffer.alloc(0), true, (error) => done(error));
    },
  });
}

/**
 * The stages that a response body passes before the tool sees it: decompression if needed, then redaction. Throws
 * `EgressDeniedError` for a content encoding that cannot be decoded.
 */
export function redactionOf(
  contentEncoding: string | undefined,
  secrets: readonly NamedValue[],
  host: string,
  maxBytes: number,
): Transform[] {
  const clean = redactStream(secrets, host);
  if (contentEncoding === undefined || contentEncoding === "" || contentEncoding === "identity") {
    return [clean];
  }
  const decoder = DECODERS[contentEncoding]?.();
  if (decoder !== undefined) {
    // A small response may decompress to a very large one.
    let bytes = 0;
    const bound = meter((more) => {
      bytes += more;
      if (bytes <= maxBytes) return;
      throw new EgressDeniedError(host, `its response decompresses to more than ${maxBytes} bytes`);
    });
    return [decoder, bound, clean];
  }
  throw new EgressDeniedError(
    host,
    `its response has the content encoding ${contentEncoding}, which cannot be searched for credentials`,
  );
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
