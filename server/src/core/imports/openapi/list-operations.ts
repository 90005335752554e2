import { isObject, own } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { documentLimits } from "./limits.ts";
import { objectAt } from "./open-document.ts";
import { referenceOf, toSegments, UnusableError, valueAt } from "./references.ts";
import type { Method, SkippedOperation } from "./types.ts";

/** An operation as the document has it. */
export type OperationEntry = {
  key: string;
  method: Method;
  path: string;
  operation: JsonObject;
  /** The object that has the operation, with what all operations of the path share. */
  item: JsonObject;
};

const methods: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/** Methods of operations that cannot become tools. */
const otherMethods = ["QUERY", "TRACE"];
const maxPath = 1_000;
const maxSteps = 20;

/** Lists the operations of a document, in its order. */
export function listOperations(root: JsonObject): {
  entries: OperationEntry[];
  skipped: SkippedOperation[];
  /** Whether there are more operations than the limit. */
  isCut: boolean;
} {
  const entries: OperationEntry[] = [];
  const skipped: SkippedOperation[] = [];
  for (const [path, written] of Object.entries(objectAt(root, "paths"))) {
    if (!path.startsWith("/")) continue;
    try {
      const item = itemOf(root, written);
      for (const entry of entriesOf(path, item)) {
        if (entries.length + skipped.length >= documentLimits.operations)
          return { entries, skipped, isCut: true };
        if (typeof entry === "string")
          skipped.push(refuse(`${entry} ${path}`, "Tools cannot send requests of this method."));
        else if (isUsablePath(path)) entries.push(entry);
        else skipped.push(refuse(entry.key, "Its path is not the path of a URL."));
      }
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      skipped.push(refuse(path, error.message));
    }
  }
  return { entries, skipped, isCut: false };
}

function* entriesOf(path: string, item: JsonObject): Generator<OperationEntry | string> {
  for (const method of methods) {
    const operation = own(item, method.toLowerCase());
    if (isObject(operation)) yield { key: `${method} ${path}`, method, path, operation, item };
  }
  for (const method of otherMethods) if (isObject(own(item, method.toLowerCase()))) yield method;
  for (const method of Object.keys(objectAt(item, "additionalOperations"))) yield method;
}

function itemOf(root: JsonObject, written: unknown): JsonObject {
  let item = written;
  for (let step = 0; step < maxSteps; step += 1) {
    const reference = referenceOf(item);
    if (reference === undefined) break;
    item = valueAt(root, toSegments(reference) ?? []);
  }
  return isObject(item) && referenceOf(item) === undefined ? item : {};
}

/** Without a fragment, spaces or backslashes, and without segments that change the rest. */
export function isUsablePath(path: string): boolean {
  if (path.length > maxPath || /[#\s\\\p{Cc}\p{Cs}]/u.test(path)) return false;
  const [plain = ""] = path.split("?");
  return !plain.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

function refuse(key: string, reason: string): SkippedOperation {
  return { key: key.slice(0, maxPath).toWellFormed(), reason };
}
