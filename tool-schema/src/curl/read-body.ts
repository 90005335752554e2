import type { Json } from "../json.ts";
import { isObject } from "../json.ts";
import { CurlError } from "./curl-error.ts";
import type { FormPart, Pair, RequestBody } from "./curl-request.ts";
import * as messages from "./messages.ts";
import type { Option } from "./read-options.ts";

const dataOptions = new Set([
  "data",
  "data-ascii",
  "data-raw",
  "data-binary",
  "data-urlencode",
  "json",
]);

/** The body that the options and the header `Content-Type` describe. Throws `CurlError`. */
export function readBody(options: readonly Option[], contentType: string | undefined): RequestBody {
  const parts = options.filter(({ name }) => name === "form" || name === "form-string");
  if (parts.length > 0) return { kind: "multipart", parts: parts.flatMap(readPart) };
  if (options.some(({ name }) => name === "upload-file")) {
    return { kind: "file", mediaType: contentType ?? "application/octet-stream" };
  }
  const data = options.filter(({ name }) => dataOptions.has(name));
  if (data.length === 0) return { kind: "none" };
  if (data.length === 1 && data.some(isFile)) {
    return { kind: "file", mediaType: contentType ?? "application/octet-stream" };
  }
  const isJson = data.some(({ name }) => name === "json");
  const text = data.map(encodeData).join(isJson ? "" : "&");
  return readText(text, contentType ?? (isJson ? "application/json" : undefined));
}

function isFile({ name, value }: Option): boolean {
  return name !== "data-raw" && name !== "data-urlencode" && value.startsWith("@");
}

/** `--data-urlencode name=value` encodes the value only. */
function encodeData({ name, value }: Option): string {
  if (name !== "data-urlencode") return value;
  const [, key, content = ""] = /^([^=@]*)=([^]*)$/.exec(value) ?? [];
  if (key === undefined) return encodeURIComponent(value);
  return key === "" ? encodeURIComponent(content) : `${key}=${encodeURIComponent(content)}`;
}

/** Without a type, JSON is read as such: many commands send it with curl's default type, and APIs accept that. */
function readText(text: string, contentType: string | undefined): RequestBody {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase();
  const value = parse(text);
  const isStructured = typeof value === "object" && value !== null;
  if (mediaType === undefined ? isStructured : value !== undefined && /json/.test(mediaType)) {
    return { kind: "json", mediaType: mediaType ?? "application/json", value: value ?? null };
  }
  if (mediaType === undefined || mediaType === "application/x-www-form-urlencoded") {
    const isForm = /^[^\s&=]+(?:=[^\n]*)?$/.test(text) && text.includes("=");
    if (isForm) return { kind: "form", fields: text.split("&").filter(Boolean).map(decodePair) };
  }
  if (mediaType?.startsWith("multipart/") === true) {
    return { kind: "multipart", parts: readMultipart(text) };
  }
  return { kind: "text", mediaType: mediaType ?? "text/plain", text };
}

const maxDepth = 30;

/** The value of a part with a type; undefined if the tool sends the part as text without one. */
export function parsePart(part: FormPart): Json | undefined {
  if (!("mediaType" in part) || part.mediaType !== "application/json") return undefined;
  const value = parse(part.value);
  return isObject(value) ? value : undefined;
}

/** Undefined for what is no JSON, or nested too deeply to become fields. */
function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, maxDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1));
}

/** `name=value`, decoded as forms and queries are. */
export function decodePair(pair: string): Pair {
  const at = pair.indexOf("=");
  const [name, value] = at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  return { name: decode(name), value: decode(value) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** `name=value;type=…`, `name=@file`, or `name=<file` for the text of a file. */
function readPart({ name: option, value: written }: Option): FormPart[] {
  const at = written.indexOf("=");
  if (at < 1) return [];
  const name = written.slice(0, at);
  const value = written.slice(at + 1);
  if (option === "form-string") return [{ name, value }];
  if (value.startsWith("@")) return [{ name, isFile: true }];
  // Documentation writes placeholders as <name>.
  if (/^<[^>]*$/.test(value)) throw new CurlError(messages.fileInForm(name));
  const [, quoted] = /^"((?:[^"\\]|\\[^])*)"/.exec(value) ?? [];
  if (quoted !== undefined) return [{ name, value: quoted.replaceAll(/\\([^])/g, "$1") }];
  const text = value.replace(/;(?:type|filename|headers|encoder)=[^]*$/, "");
  const [, mediaType] = /^;(?:[^]*;)?type=([^;\s]+)/.exec(value.slice(text.length)) ?? [];
  return [{ name, value: text, ...(mediaType === undefined ? {} : { mediaType }) }];
}

/** Browsers copy a form with files as its raw text, in which files are empty. */
function readMultipart(text: string): FormPart[] {
  const [boundary = ""] = /^--[^\r\n]+/.exec(text) ?? [];
  if (boundary === "") return [];
  return text.split(boundary).flatMap((section): FormPart[] => {
    const [, head = "", content = ""] = /^\r?\n([^]*?)\r?\n\r?\n([^]*?)\r?\n?$/.exec(section) ?? [];
    const [, name] = /\bname="([^"]*)"/i.exec(head) ?? [];
    if (name === undefined) return [];
    return /\bfilename="/i.test(head) ? [{ name, isFile: true }] : [{ name, value: content }];
  });
}
