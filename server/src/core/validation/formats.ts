import addFormats from "ajv-formats";
import type { Ajv2020, Format } from "ajv/dist/2020.js";
import { spend } from "./meter.ts";

type Test = (text: string) => boolean;

const defaultMaxLength = 4_096;
/** Maximum lengths of formats with short values, since longer text is invalid in practice but costs time. */
const maxLengths: Readonly<Record<string, number>> = {
  date: 64,
  time: 64,
  "date-time": 128,
  "iso-time": 64,
  "iso-date-time": 128,
  duration: 128,
  hostname: 256,
  ipv4: 64,
  ipv6: 64,
  uuid: 64,
  regex: 1_024,
  byte: Infinity,
};

/** Upper bound of the measured cost per character, in units of the meter. */
const unitsPerCharacter = 2;
/** Compiling an expression takes longer than matching one. */
const unitsPerRegexCharacter = 5;
const unitsPerCheck = 2;

/** Adds the formats of ajv-formats, each with a maximum length, a check in linear time and a charge to the meter. */
export function addBoundedFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(ajv.formats)) {
    const test = name === "url" ? isUrl : format && testOf(format);
    if (test === undefined) continue;
    const units = name === "regex" ? unitsPerRegexCharacter : unitsPerCharacter;
    const maxLength = maxLengths[name] ?? defaultMaxLength;
    ajv.addFormat(name, {
      type: "string",
      validate: (text: string) => {
        if (text.length > maxLength) return false;
        spend(unitsPerCheck + text.length * units);
        return test(text);
      },
    });
  }
}

function testOf(format: Format): Test | undefined {
  const isWrapped = typeof format === "object" && !(format instanceof RegExp);
  if (isWrapped && (format.type === "number" || format.async === true)) return undefined;
  const check: unknown = isWrapped ? format.validate : format;
  if (check instanceof RegExp) return (text) => check.test(text);
  return typeof check === "function" ? (text) => check(text) === true : undefined;
}

const letters = "a-z0-9\\u{a1}-\\u{ffff}";
const label = `(?:[${letters}]+-)*[${letters}]+`;
const domain = `${label}(?:\\.${label})*\\.[a-z\\u{a1}-\\u{ffff}]{2,}`;
const publicIpv4 =
  "(?!(?:10|127)(?:\\.\\d{1,3}){3})(?!(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2})" +
  "(?!172\\.(?:1[6-9]|2\\d|3[0-1])(?:\\.\\d{1,3}){2})(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])" +
  "(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}(?:\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4]))";
const hostAndPort = new RegExp(`^(?:${publicIpv4}|${domain})(?::\\d{2,5})?$`, "iu");

/**
 * Accepts the same URLs as the `url` expression of ajv-formats, in linear time. That expression retries the host at every
 * colon of the user information; here the text is split at each "@", and each part is tried once.
 */
function isUrl(text: string): boolean {
  const scheme = /^(?:https?|ftp):\/\//iu.exec(text)?.[0];
  if (scheme === undefined || /\s/u.test(text)) return false;
  const parts = text.slice(scheme.length).split("@");
  return parts.some((part, index) => {
    // The part before this "@" is the user information, which is not empty.
    if (index === 1 && parts[0] === "") return false;
    const slash = part.indexOf("/");
    if (slash === -1 && index < parts.length - 1) return false;
    return hostAndPort.test(slash === -1 ? part : part.slice(0, slash));
  });
}
