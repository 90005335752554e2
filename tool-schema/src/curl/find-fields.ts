import type { Json } from "../json.ts";
import { fromEntries, isObject } from "../json.ts";
import type { CurlRequest, Pair } from "./curl-request.ts";
import { segmentsOf } from "./find-secrets.ts";
import type { Secret } from "./find-secrets.ts";
import { isPlaceholder, isSecretName, isSecretValue } from "./secret-patterns.ts";

type FieldPlace = "path" | "query" | "header" | "body" | "file" | "whole";

/** A value of the request that can become a field of the tool's input, or stay as it is. */
export type RequestField = {
  id: string;
  place: FieldPlace;
  /** The name that the API uses, or for a path its placeholder. Empty for a whole body. */
  name: string;
  /** The value in the command; undefined if that is a placeholder or a file. */
  sample: Json | undefined;
  /** Whether it becomes an input unless the user decides otherwise. */
  isInput: boolean;
  /** There is no value that could stay. */
  isAlwaysInput: boolean;
};

/** The URL with placeholders for the segments of the path that vary. */
export type FoundFields = { url: string; fields: RequestField[] };

/** The values of a request that are no secrets. */
export function findFields(request: CurlRequest, secrets: readonly Secret[]): FoundFields {
  const isSecret = (place: string, name: string) =>
    secrets.some((secret) => secret.place === place && secret.name === name);
  const path = findInPath(request.url, secrets);
  const query = merge(request.query.filter(({ name }) => !isSecret("query", name)));
  const headers = request.headers.filter(
    ({ name }) => !/^(?:proxy-)?authorization$|^accept$/.test(name) && !isSecret("header", name),
  );
  const fields = [
    ...path.fields,
    ...query.map(([name, values]) => field("query", name, valueOf(values))),
    ...headers.map(({ name, value }) => ({
      ...field("header", name, value),
      isInput: isPlaceholder(value),
    })),
    ...findInBody(request, isSecret),
  ];
  return { url: path.url, fields };
}

function field(place: FieldPlace, name: string, value: Json | undefined): RequestField {
  const hasSample = value !== undefined && !(typeof value === "string" && isPlaceholder(value));
  const sample = hasSample ? withoutSecrets(value) : undefined;
  const isAlwaysInput = sample === undefined || JSON.stringify(sample) !== JSON.stringify(value);
  return { id: `${place}:${name}`, place, name, sample, isInput: true, isAlwaysInput };
}

/** Nested secrets are left out of the sample, so that they reach neither the tool nor its examples. */
function withoutSecrets(value: Json): Json {
  if (typeof value === "string") return isSecretValue(value) ? "" : value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value).map(([name, item]) => {
      const isSecret = typeof item === "string" && isSecretName(name) && !/^key$/i.test(name);
      return [name, isSecret ? "" : withoutSecrets(item)];
    }),
  );
}

/** Values of the same name become a list. */
function merge(pairs: readonly Pair[]): [string, string[]][] {
  const byName = new Map<string, string[]>();
  for (const { name, value } of pairs) byName.set(name, [...(byName.get(name) ?? []), value]);
  return [...byName];
}

function valueOf(values: readonly string[]): Json {
  const [only = ""] = values;
  return values.length === 1 ? toScalar(only) : values.map(toScalar);
}

/** A query and a form consist of text. What looks like a number or a truth value is one. */
function toScalar(text: string): Json {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) && String(Number(text)) === text) {
    return Number(text);
  }
  return text === "true" || text === "false" ? text === "true" : text;
}

/** IDs and placeholders in a path become fields named after the segment before them: `userId` in `/users/42`. */
function findInPath(url: string, secrets: readonly Secret[]): FoundFields {
  const segments = segmentsOf(url);
  const written = new URL(url).pathname.split("/");
  const fields: RequestField[] = [];
  const path = written.map((segment, at) => {
    const text = segments[at] ?? "";
    const name = `segment${at}`;
    const secret = secrets.find((one) => one.place === "path" && one.name === name);
    if (secret !== undefined) return `{${name}}`;
    const [, key, extension = ""] = /^(.+?)(\.(?:json|xml))?$/.exec(text) ?? [];
    if (key === undefined || !isVariable(key))
      return segment.replaceAll(/[{}]/g, encodeURIComponent);
    const wanted = isPlaceholder(key) ? identifierOf(key) : `${singular(segments[at - 1] ?? "")}Id`;
    const unique = uniqueName(wanted === "" || /^\d/.test(wanted) ? "id" : wanted, fields);
    fields.push(field("path", unique, key));
    return `{${unique}}${extension}`;
  });
  return { url: `${new URL(url).origin}${path.join("/")}`, fields };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isVariable(segment: string): boolean {
  if (/^\d+$/.test(segment) || uuid.test(segment) || isPlaceholder(segment)) return true;
  if (/^[\da-f]{16,}$/i.test(segment)) return true;
  const digits = segment.match(/\d/g)?.length ?? 0;
  return segment.length >= 8 && digits >= 2 && /^[\w-]+$/.test(segment) && !/^v\d/i.test(segment);
}

function identifierOf(placeholder: string): string {
  const words = placeholder.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const isShout = words.every((word) => word === word.toUpperCase());
  return words
    .map((word) => (isShout ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("");
}

function singular(word: string): string {
  const name = identifierOf(word);
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(name)) return name;
  return name.replace(/(?<=(?:x|ch|sh|ss))es$|s$/, "");
}

function uniqueName(wanted: string, fields: readonly RequestField[]): string {
  let name = wanted;
  for (let number = 2; fields.some((one) => one.name === name); number += 1) name = wanted + number;
  return name;
}

type IsSecret = (place: string, name: string) => boolean;

function findInBody({ body }: CurlRequest, isSecret: IsSecret): RequestField[] {
  const isFree = ({ name }: { name: string }) => !isSecret("body", name);
  if (body.kind === "none") return [];
  if (body.kind === "file") return [field("file", "", undefined)];
  if (body.kind === "text") return [field("whole", "", body.text)];
  if (body.kind === "form") {
    return merge(body.fields.filter(isFree)).map(([name, values]) =>
      field("body", name, valueOf(values)),
    );
  }
  if (body.kind === "multipart") {
    const names = [...new Set(body.parts.filter(isFree).map(({ name }) => name))];
    return names.map((name) => {
      const parts = body.parts.filter((part) => part.name === name);
      const texts = parts.flatMap((part) => ("value" in part ? [part.value] : []));
      return texts.length < parts.length
        ? field("file", name, undefined)
        : field("body", name, valueOf(texts));
    });
  }
  if (!isObject(body.value) || Object.keys(body.value).length === 0) {
    return [field("whole", "", body.value)];
  }
  const isGraphQl =
    typeof body.value["query"] === "string" && Object.hasOwn(body.value, "variables");
  return Object.entries(body.value)
    .filter(([name]) => isFree({ name }))
    .map(([name, value]) => {
      const found = field("body", name, value);
      // The tool is one operation: its query stays, and its variables vary.
      return isGraphQl && name !== "variables" ? { ...found, isInput: found.isAlwaysInput } : found;
    });
}
