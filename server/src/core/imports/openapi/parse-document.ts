import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { messageOf } from "#lib/message-of";
import { OpenApiError } from "./errors.ts";
import { documentLimits } from "./limits.ts";
import { collectionFormat, convertCollection, findCollection } from "./postman/read-collection.ts";
import type { DocumentFormat } from "./types.ts";

/** A document as it was written. */
export type ParsedDocument = {
  root: JsonObject;
  format: DocumentFormat;
  /** What is left out of a collection. */
  omissions?: string[];
};

/** Merge keys (`<<`) are of YAML 1.1, but documents use them. */
const yamlSchema = CORE_SCHEMA.withTags(mergeTag);

/** Parses JSON or YAML, and converts collections of Postman. Throws `OpenApiError` for anything else than these and OpenAPI. */
export function parseDocument(bytes: Uint8Array): ParsedDocument {
  if (bytes.length > documentLimits.bytes) {
    throw new OpenApiError(
      "too_large",
      `The document has ${Math.ceil(bytes.length / 1024 / 1024)} MB; the limit is 20 MB. Remove the paths that you don't need.`,
    );
  }
  const root = parseText(decode(bytes));
  checkTree(root);
  if (!isObject(root)) throw unsupported("The file contains no OpenAPI document.");
  const collection = findCollection(root);
  if (collection === undefined) return { root, format: formatOf(root) };
  const { document, omissions } = convertCollection(collection);
  return { root: document, format: collectionFormat(collection), omissions };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OpenApiError(
      "invalid_syntax",
      "The document is not text in UTF-8. Save it as UTF-8 and import it again.",
    );
  }
}

function parseText(text: string): Json {
  const start = text.slice(0, 1_000).trimStart();
  if (text.trim() === "") throw unsupported("The file is empty.");
  if (start.startsWith("<")) {
    throw unsupported(
      "This is a web page or XML. Use the address of the OpenAPI document itself, in JSON or YAML.",
    );
  }
  const isJson = start.startsWith("{") || start.startsWith("[");
  try {
    if (isJson) return JSON.parse(text) as Json;
    const { depth: maxDepth, aliases: maxAliases } = documentLimits;
    // With `json`, the last of several equal keys counts, as in JSON.
    return load(text, { schema: yamlSchema, json: true, maxDepth, maxAliases }) as Json;
  } catch (error) {
    const [reason = ""] = messageOf(error).split("\n");
    throw new OpenApiError(
      "invalid_syntax",
      `The document is not valid ${isJson ? "JSON" : "YAML"}: ${reason.slice(0, 200).toWellFormed()}`,
    );
  }
}

/**
 * Limits the size of the parsed tree, in which YAML aliases can multiply or form a cycle, and removes members named
 * `__proto__`, which code that copies objects would take for their prototype.
 */
function checkTree(root: Json): void {
  const open: { value: Json; depth: number }[] = [{ value: root, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > documentLimits.depth) {
      throw tooComplex(`is nested more than ${documentLimits.depth} levels deep`);
    }
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    const members = Array.isArray(value) ? value : Object.values(value);
    count += members.length;
    if (count > documentLimits.values) {
      throw tooComplex(
        `has more than ${documentLimits.values} values, with YAML aliases counted at each use`,
      );
    }
    for (const member of members) {
      if (typeof member === "object" && member !== null)
        open.push({ value: member, depth: depth + 1 });
    }
  }
}

function tooComplex(what: string): OpenApiError {
  return new OpenApiError(
    "too_complex",
    `The document ${what}. Split it, or remove the paths that you don't need.`,
  );
}

function formatOf(root: JsonObject): DocumentFormat {
  const swagger = versionOf(root, "swagger");
  if (swagger === "2.0" || swagger === "2") return "swagger-2.0";
  const [, minor] = /^3\.([012])(?:\.|$)/.exec(versionOf(root, "openapi")) ?? [];
  if (minor === "0") return "openapi-3.0";
  if (minor === "1") return "openapi-3.1";
  if (minor === "2") return "openapi-3.2";
  throw unsupported(describeOther(root));
}

/** YAML reads `3.1` as a number. */
function versionOf(root: JsonObject, name: string): string {
  const value = own(root, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function describeOther(root: JsonObject): string {
  if (versionOf(root, "swagger") !== "" || versionOf(root, "swaggerVersion") !== "") {
    return "This version of Swagger is not supported. Convert the document to OpenAPI 3.";
  }
  if (versionOf(root, "openapi") !== "") {
    return "This version of OpenAPI is not supported. Use Swagger 2.0, or OpenAPI 3.0, 3.1 or 3.2.";
  }
  if (Object.hasOwn(root, "asyncapi")) {
    return "This is an AsyncAPI document, which describes messages and not HTTP operations.";
  }
  if (Object.hasOwn(root, "_postman_variable_scope")) {
    return "This is a Postman environment. Export the collection, in the format v2.1.";
  }
  const info = own(root, "info");
  const isCollection = isObject(info) && Object.hasOwn(info, "_postman_id");
  if (isCollection || (Object.hasOwn(root, "requests") && Object.hasOwn(root, "order"))) {
    return "This version of Postman collections is not supported. Export the collection in the format v2.1.";
  }
  return 'The file is not an OpenAPI document: it has neither "openapi" nor "swagger" at its top.';
}

function unsupported(message: string): OpenApiError {
  return new OpenApiError("unsupported_format", message);
}
