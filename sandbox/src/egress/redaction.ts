import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { meter } from "./meter.ts";
import { RefusedError } from "./refusal.ts";
import { replaceStream } from "./replace-stream.ts";
import { written, type SecretsOfRun } from "./secrets.ts";

/** Shorter ones stand in many a text by chance. */
const SHORTEST = 4;

/** What stands where a secret was. */
const mark = (name: string) => `[redacted ${name}]`;

/** Every way in which hosts and tools are likely to write a value. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const json = written(value, "json");
  return [
    value,
    written(value, "url"),
    // As forms write it (application/x-www-form-urlencoded).
    new URLSearchParams([["", value]]).toString().slice(1),
    json,
    asciiJson(json),
    // JSON that stands in a text of JSON, as a host's log of what it was sent would.
    written(json, "json"),
    written(asciiJson(json), "json"),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    ...withinBase64(bytes),
    hex,
    hex.toUpperCase(),
  ];
}

/** JSON as libraries write it that keep to ASCII. */
function asciiJson(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The part of a value's base64 that does not depend on what stands before and after it, as in Basic. */
function withinBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

type Needle = { find: string; put: string };

function needlesOf(secrets: readonly { name: string; value: string }[]): Needle[] {
  return secrets.flatMap(({ name, value }) =>
    [...new Set(spellings(value))]
      .filter((spelling) => spelling.length >= SHORTEST || spelling === value)
      .map((find) => ({ find, put: mark(name) })),
  );
}

/** Takes secrets out of texts. */
export type Redactor = (text: string) => string;

/** A function that puts a mark where a secret stands in a text, however it is written. */
export function createRedactor(secrets: readonly { name: string; value: string }[]): Redactor {
  const needles = needlesOf(secrets).toSorted((one, other) => other.find.length - one.find.length);
  return (text) => needles.reduce((rest, { find, put }) => rest.replaceAll(find, () => put), text);
}

/**
 * What an answer's body goes through before a tool may see it: unpacking if need be, then a mark in the place
 * of each secret. Throws `RefusedError` for a packing that cannot be looked into.
 */
export function redactionOf(
  packing: string | undefined,
  secrets: SecretsOfRun,
  host: string,
  mostBytes: number,
): Transform[] {
  const replacements = needlesOf(secrets).map(({ find, put }) => ({
    find: Buffer.from(find),
    put: Buffer.from(put),
  }));
  const clean = replaceStream(replacements);
  if (packing === undefined || packing === "" || packing === "identity") return [clean];
  const unpacker = UNPACKERS[packing]?.();
  if (unpacker !== undefined) {
    // A small answer may unpack to a very large one.
    let bytes = 0;
    const bound = meter((more) => {
      bytes += more;
      if (bytes <= mostBytes) return;
      throw new RefusedError(host, `its answer unpacks to more than ${mostBytes} bytes`);
    });
    return [unpacker, bound, clean];
  }
  throw new RefusedError(host, `its answer is packed as ${packing} and may hold a credential`);
}

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
