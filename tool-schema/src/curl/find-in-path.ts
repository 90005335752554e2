import type { RequestField } from "./request-field.ts";
import { createNamer } from "./create-namer.ts";
import type { Secret } from "./find-secrets.ts";
import { segmentsOf } from "./secret-segments.ts";
import { isPlaceholder } from "../secrets/index.ts";

/** A part of the path: as the command has it, and with the placeholder of the field that it can become. */
export type PathSegment = { written: string; templated: string; fieldId: string | undefined };

/** The segments of a path, each of which can become a field. */
export function findInPath(
  url: string,
  secrets: readonly Secret[],
  toField: (name: string, value: string) => RequestField,
): { segments: PathSegment[]; fields: RequestField[] } {
  const texts = segmentsOf(url);
  const secretNames = new Set(
    secrets.flatMap(({ place, name }) => (place === "path" ? [name] : [])),
  );
  const names = nameSegments(texts, secretNames);
  const fields: RequestField[] = [];
  const segments = new URL(url).pathname.split("/").map((segment, at): PathSegment => {
    const written = segment.replaceAll(/[{}]/g, encodeURIComponent);
    if (secretNames.has(`segment${at}`)) {
      const templated = `{segment${at}}`;
      return { written: templated, templated, fieldId: undefined };
    }
    const name = names.get(at);
    if (name === undefined) return { written, templated: written, fieldId: undefined };
    const { key, extension } = split(texts[at] ?? "");
    const found = { ...toField(name, key), isInput: isVariable(key) };
    const field = isWithoutValue(key) ? { ...found, sample: undefined } : found;
    fields.push(field);
    return { written, templated: `{${name}}${extension}`, fieldId: field.id };
  });
  return { segments, fields };
}

/** `.json` and the like are no part of an ID. */
function split(text: string): { key: string; extension: string } {
  const [, key = text, extension = ""] = /^(.+?)(\.(?:json|xml))?$/.exec(text) ?? [];
  return { key, extension };
}

const maxName = 60;

/**
 * The names of the fields of segments. IDs are named after the segment before them, such as `userId` in `/users/42`, and are
 * named before segments that rarely vary.
 */
function nameSegments(
  texts: readonly string[],
  secretNames: ReadonlySet<string>,
): Map<number, string> {
  const toUnique = createNamer("", secretNames);
  const names = new Map<number, string>();
  const keys = texts.map((text) => split(text).key);
  for (const isForInputs of [true, false]) {
    for (const [at, key] of keys.entries()) {
      if (key === "" || isVariable(key) !== isForInputs) continue;
      const isNamed = !isForInputs || isPlaceholder(key) || isShout(key);
      const wanted = isNamed ? identifierOf(key) : `${singular(keys[at - 1] ?? "")}Id`;
      const name = wanted === "" || /^\d/.test(wanted) ? "id" : wanted.slice(0, maxName);
      names.set(at, toUnique(name));
    }
  }
  return names;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isVariable(segment: string): boolean {
  if (/^\d+$/.test(segment) || uuid.test(segment) || isPlaceholder(segment)) return true;
  if (/^[\da-f]{16,}$/i.test(segment)) return true;
  if (isShout(segment)) return true;
  const digits = segment.match(/\d/g)?.length ?? 0;
  return segment.length >= 8 && digits >= 2 && /^[\w-]+$/.test(segment) && !/^v\d/i.test(segment);
}

const plainShouts = /^(?:api|rest|odata|json|xml|rss|graphql|rpc)$/i;

/** `OWNER` and `REPO_ID`, as documentation writes what varies, but also `USD`. */
function isShout(segment: string): boolean {
  return /^[A-Z]{2,}(?:[_-][A-Z]+)*$/.test(segment) && !plainShouts.test(segment);
}

/** Whether a text in capitals only names what belongs there. Codes such as `USD` and `AAPL` are values. */
function isWithoutValue(segment: string): boolean {
  const isWord = /^(?:OWNER|REPO|ORG|USER|TEAM|GROUP|NAME|SLUG|ID|KEY|REF|SHA|TAG)$/.test(segment);
  return isShout(segment) && (isWord || segment.length > 5);
}

function identifierOf(placeholder: string): string {
  const words = placeholder.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const isUpperCase = words.every((word) => word === word.toUpperCase());
  return words
    .map((word) => (isUpperCase ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("");
}

function singular(word: string): string {
  return singularOf(identifierOf(word));
}

/** The singular of an English noun, by its ending. */
export function singularOf(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(name)) return name;
  return name.replace(/(?<=(?:x|ch|sh|ss))es$|s$/, "");
}
