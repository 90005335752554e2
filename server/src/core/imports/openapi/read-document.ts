import { textAt } from "@toolhost/tool-schema/json";
import { sha256 } from "#lib/hash";
import { OpenApiError } from "./errors.ts";
import { listOperations } from "./list-operations.ts";
import type { OperationEntry } from "./list-operations.ts";
import { documentLimits } from "./limits.ts";
import { objectAt, openDocument } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import { parseDocument } from "./parse-document.ts";
import type { OperationPlan } from "./plan.ts";
import { generatedSentence, planOperation } from "./plan-operation.ts";
import type { DocumentParts } from "./plan-operation.ts";
import { listSecuritySchemes } from "./plan-security.ts";
import { documentServers } from "./plan-servers.ts";
import { UnusableError } from "./references.ts";
import { toLine } from "./text.ts";
import type { DocumentSummary, OperationSummary, SkippedOperation } from "./types.ts";

/** Of an operation, in the list of operations. */
const maxAlternatives = 20;

const cutNote = `The document has more than ${documentLimits.operations.toLocaleString("en")} operations. The others are left out: split it to import them.`;

/** Opens a document and lists its operations. Throws `OpenApiError`. */
export function loadDocument(bytes: Uint8Array) {
  const parsed = parseDocument(bytes);
  const document = openDocument(parsed);
  const parts: DocumentParts = {
    document,
    schemes: listSecuritySchemes(document),
    servers: documentServers(document.root),
  };
  return { parts, omissions: parsed.omissions ?? [], ...listOperations(document.root) };
}

/** What a document offers. Throws `OpenApiError` for problems of the whole document. */
export function readDocument(bytes: Uint8Array): DocumentSummary {
  const { parts, entries, skipped, isCut, omissions } = loadDocument(bytes);
  const { document, schemes, servers } = parts;
  const operations: OperationSummary[] = [];
  const unusable: SkippedOperation[] = [...skipped];
  for (const entry of entries) {
    const planned = tryPlan(parts, entry);
    if ("reason" in planned) unusable.push(planned);
    else operations.push(summarize(planned, parts));
  }
  const info = objectAt(document.root, "info");
  const converted = convertedOf(document);
  return {
    title: toLine(textAt(info, "title"), 200),
    version: toLine(textAt(info, "version"), 100),
    description: toLine(textAt(info, "description"), 1_000),
    format: document.format,
    servers,
    securitySchemes: [...schemes],
    operations,
    skipped: unusable,
    notes: [...omissions, ...(isCut ? [cutNote] : [])],
    ...(converted === undefined ? {} : { converted }),
  };
}

function convertedOf({ format, root }: OpenDocument): string | undefined {
  if (!format.startsWith("postman-")) return undefined;
  const converted = JSON.stringify(root);
  if (converted.length <= documentLimits.bytes) return converted;
  throw new OpenApiError(
    "too_large",
    "The collection is too large to be stored. Split it, or remove the requests that you don't need.",
  );
}

/** The plan of an operation, or why it has none. */
export function tryPlan(
  parts: DocumentParts,
  entry: OperationEntry,
): OperationPlan | SkippedOperation {
  try {
    return planOperation(parts, entry);
  } catch (error) {
    if (error instanceof UnusableError) return { key: entry.key, reason: error.message };
    throw error;
  }
}

/** Identifies what reaches the tool: not the rest of its schemas, nor servers that it does not call by default. */
export function hashOf({ fields, servers, ownServers, ...plan }: OperationPlan): string {
  const sent = fields.map(({ name, wireName, place, isRequired, serialization }) => [
    name,
    wireName,
    place,
    isRequired,
    serialization,
  ]);
  return sha256(JSON.stringify({ ...plan, sent, server: (ownServers ?? servers)[0] }));
}

/** The scopes that the operation itself names, by scheme. */
function scopesOf(
  { alternatives }: OperationPlan,
  { schemes }: Pick<DocumentParts, "schemes">,
): Record<string, string[]> {
  const all = alternatives.slice(0, maxAlternatives).flat();
  return Object.fromEntries(
    all.flatMap(({ name, connection }) => {
      const declared = schemes.find((scheme) => scheme.name === name)?.connection;
      // Planning replaces the scopes of a scheme only where the operation names some.
      return connection === undefined || connection === declared ? [] : [[name, connection.scopes]];
    }),
  );
}

function summarize(plan: OperationPlan, parts: DocumentParts): OperationSummary {
  const { root } = parts.document;
  const { key, operationId, method, path, title, tags, isDeprecated } = plan;
  const sentence = generatedSentence(root, key);
  const description = plan.description.slice(0, -sentence.length).trimEnd();
  return {
    key,
    operationId: operationId === undefined ? undefined : toLine(operationId, 200),
    method,
    path,
    title,
    description: toLine(description, 300),
    tags,
    isDeprecated,
    schemaBytes: Buffer.byteLength(JSON.stringify(plan.inputSchema)),
    security: plan.alternatives
      .slice(0, maxAlternatives)
      .map((schemes) => schemes.map(({ name }) => name)),
    scopes: scopesOf(plan, parts),
    hash: hashOf(plan),
  };
}
