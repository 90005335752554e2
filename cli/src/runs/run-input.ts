import { constants, openAsBlob } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { mediaTypeOfName } from "@toolhost/contract/media-types";
import { isRecord, parseJsonObject } from "../json.ts";
import { usageError } from "../terminal/cli-error.ts";
import { command } from "../terminal/shell-command.ts";
import { isFileId } from "./file-id.ts";

/** The input of a tool. A file field has the file itself. */
export type RunInput = Record<string, unknown>;

type Shape = { inputSchema: unknown; fileFields: readonly string[] };

/** Reads the input in a file, or in stdin for `-`. */
export async function readInputFile(path: string): Promise<RunInput> {
  if (path === "-") return parseJsonObject(await readAll(process.stdin), "The input");
  await checkIsFile(path);
  return parseJsonObject(await readFile(path, "utf8").catch(rejectUnreadable(path)), path);
}

/** Parses `name=value`, `name:=JSON` and `name=@file`. A name that is given twice becomes a list. */
export async function parseAssignments(words: readonly string[], shape: Shape): Promise<RunInput> {
  const input: RunInput = {};
  const seen = new Set<string>();
  for (const word of words) {
    const [, name = "", operator = "", text = ""] = /^([^=:]+)(:?=)([\s\S]*)$/.exec(word) ?? [];
    if (name === "") throw usageError(`"${word}" is not an input. Write name=value.`);
    const value = operator === ":=" ? parseJson(name, text) : await parseValue(name, text, shape);
    const list = isListed(name, shape) || seen.has(name);
    const before = input[name];
    input[name] = list
      ? [
          ...(Array.isArray(before) ? before : seen.has(name) ? [before] : []),
          ...(Array.isArray(value) ? value : [value]),
        ]
      : value;
    seen.add(name);
  }
  return input;
}

/**
 * Whether values depend on the input schema. Any other text is a string, or an item of a list, and a schema for a list rejects
 * a string.
 */
export function isSchemaNeeded(words: readonly string[]): boolean {
  return words.some((word) => {
    const [, text = ""] = /^[^=:]+=([\s\S]*)$/.exec(word) ?? [];
    return /^@|^\s*[[{]|^(?:true|false|null)$/.test(text) || isNumeric(text);
  });
}

const isNumeric = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`${name} is not valid JSON: ${text.slice(0, 100)}`);
  }
}

async function parseValue(name: string, text: string, shape: Shape): Promise<unknown> {
  if (text.startsWith("@")) return readFileValue(name, text.slice(1), shape);
  if (shape.fileFields.includes(name) && !isFileId(text)) {
    throw usageError(
      `${name} needs a file, not the text "${text.slice(0, 100)}".`,
      command`${name}=@${text}   (uploads the file)`,
      command`${name}=FILE_ID   (a file that was uploaded)`,
    );
  }
  const types = typesOf(name, shape);
  if (types.includes("string") || types.length === 0) return text;
  const isNumber = types.includes("number") || types.includes("integer");
  if (isNumber && isNumeric(text)) return Number(text);
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  if (types.includes("null") && text === "null") return null;
  if (types.includes("object") || types.includes("array")) {
    return /^\s*[[{]/.test(text) ? parseJson(name, text) : text;
  }
  return text;
}

async function readFileValue(name: string, path: string, shape: Shape): Promise<unknown> {
  if (path === "") throw usageError(`The name of the file is missing. Write ${name}=@FILE.`);
  await checkIsFile(path);
  if (!shape.fileFields.includes(name)) {
    return readFile(path, "utf8").catch(rejectUnreadable(path));
  }
  // A file without permission is otherwise opened, and fails during the upload.
  await access(path, constants.R_OK).catch(rejectUnreadable(path));
  const blob = await openAsBlob(path).catch(rejectUnreadable(path));
  return new File([blob], basename(path), { type: mediaTypeOfName(path) });
}

async function checkIsFile(path: string): Promise<void> {
  const stats = await stat(path).catch(rejectUnreadable(path));
  if (stats.isDirectory()) throw usageError(`${path} is a directory, not a file.`);
}

const rejectUnreadable =
  (path: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw usageError(`The file ${path} does not exist.`);
    }
    const isDenied = code === "EACCES" || code === "EPERM";
    throw usageError(`${path} cannot be read: ${isDenied ? "permission denied" : String(error)}`);
  };

function schemaOf(name: string, { inputSchema }: Shape): Record<string, unknown> {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  const schema =
    isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(schema) ? schema : {};
}

function typesOf(name: string, shape: Shape): string[] {
  const schema = schemaOf(name, shape);
  const declared = schema["type"];
  const direct = Array.isArray(declared) ? declared : declared === undefined ? [] : [declared];
  const choices = schema["enum"];
  const implied =
    direct.length === 0 && Array.isArray(choices) ? choices.map((one) => typeof one) : [];
  const types = [...direct, ...implied].map(String);
  if (!types.includes("array")) return types;
  const items = schema["items"];
  return [
    ...types.filter((type) => type !== "array"),
    ...(isRecord(items) && typeof items["type"] === "string" ? [items["type"]] : ["array"]),
  ];
}

const isListed = (name: string, shape: Shape) => schemaOf(name, shape)["type"] === "array";
