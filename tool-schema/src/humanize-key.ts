import { isObject, textAt } from "./json.ts";
import type { Json } from "./json.ts";

const acronyms =
  "api|csv|css|dns|gif|html|http|https|id|ids|ip|iso|jpeg|jpg|json|jwt|md5|mime|ok|pdf|png|sha|sql|ssl|svg|tls|ui|uri|uris|url|urls|utc|uuid|uuids|vat|xml|yaml|zip";
const acronymPattern = new RegExp(`^(?:${acronyms})$`);
const unitPattern =
  /^(?:milliseconds|ms|seconds|secs?|minutes|mins?|hours|days|weeks|months|years|bytes|kb|mb|gb|tb|kib|mib|gib|percent|pixels|px|celsius|fahrenheit|kelvin|meters|metres|km|miles|kg|grams|pounds|degrees|usd|eur)$/;
const unitNames: Readonly<Record<string, string>> = {
  kb: "kB",
  mb: "MB",
  gb: "GB",
  tb: "TB",
  kib: "KiB",
  mib: "MiB",
  gib: "GiB",
  percent: "%",
  celsius: "°C",
  fahrenheit: "°F",
  usd: "USD",
  eur: "EUR",
};
/** After these words, the last word is what is counted, not the unit of something. */
const counted = /^(?:of|per|last|next|first|past|previous|max|min|maximum|minimum|num|total|all)$/;
const maxLength = 60;

/**
 * A label for a key without a title: `readingTimeSeconds` becomes "Reading time (seconds)". Keys that are no words in camel
 * case, snake case or kebab case stay as they are.
 */
export function humanizeKey(key: string): string {
  if (key.length > maxLength || !/^[a-z][a-zA-Z0-9]*(?:[_-][a-zA-Z0-9]+)*$/.test(key)) return key;
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, "$1 $2")
    .split(/[ _-]/)
    .map((word) => word.toLowerCase());
  const unit = unitOf(words);
  const rest = unit === undefined ? words : withoutUnit(words);
  const [first = "", ...others] = rest.map(spell);
  const label = [first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(" ");
  return unit === undefined ? label : `${label} (${unit})`;
}

/** The label of a field or value: the title in its schema, otherwise a label for its key. */
export function fieldLabel(key: string, schema: Json | undefined): string {
  const title = isObject(schema) ? textAt(schema, "title")?.trim() : undefined;
  return title || humanizeKey(key);
}

function unitOf(words: readonly string[]): string | undefined {
  const [last = "", before = ""] = words.toReversed();
  if (words.length < 2 || !unitPattern.test(last) || counted.test(before)) return undefined;
  return unitNames[last] ?? last;
}

/** The words before the unit, without the "in" of `durationInSeconds`. */
function withoutUnit(words: readonly string[]): readonly string[] {
  const rest = words.slice(0, -1);
  return rest.length > 1 && rest.at(-1) === "in" ? rest.slice(0, -1) : rest;
}

function spell(word: string): string {
  if (!acronymPattern.test(word)) return word;
  return word.length > 2 && /(?:ids|uris|urls|uuids)$/.test(word)
    ? `${word.slice(0, -1).toUpperCase()}s`
    : word.toUpperCase();
}
