import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OutboundError } from "@toolhost/sandbox";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { getFile, readFileBytes } from "#core/files";
import { sha256 } from "#lib/hash";
import { newId } from "#lib/ids";
import type { ImportsContext } from "./context.ts";
import { OpenApiError } from "./openapi/index.ts";
import type { DocumentSummary } from "./openapi/index.ts";
import { countTags } from "./stored-import.ts";
import type { Reading, StoredItem } from "./stored-import.ts";

const maxDocumentBytes = 20 * 1024 * 1024;
const downloadTimeoutMs = 40_000;

/** A document, and a title for an API that states none. */
export type OpenedDocument = {
  bytes: Buffer;
  fallbackTitle: string;
  /** Of an upload. */
  fileName?: string;
};

type DocumentSource = { url: string } | { fileId: string };

/**
 * Opens an uploaded document, or downloads one under the same egress rules as tools, and passes it to a task. `key` is that of
 * its slot. Throws `invalid_request`, `file_not_found`, `payload_too_large` and `unavailable`.
 */
export function useDocument<T>(
  context: ImportsContext,
  caller: Caller,
  source: DocumentSource & { key?: string },
  task: (document: OpenedDocument) => Promise<T>,
): Promise<T> {
  const { key = caller.workspaceId } = source;
  return context.imports.documents.use(key, async (inMemory) => {
    if ("fileId" in source) {
      return inMemory(async () => task(await openUpload(context, caller, source.fileId)));
    }
    const { url } = source;
    const path = join(context.fileStorage.incomingDir, newId());
    try {
      await download(context, caller.workspaceId, { url, path });
      const fallbackTitle = new URL(url).host;
      return await inMemory(async () => task({ bytes: await readFile(path), fallbackTitle }));
    } finally {
      await rm(path, { force: true });
    }
  });
}

async function download(
  { outbound }: Pick<ImportsContext, "outbound">,
  workspaceId: string,
  { url, path }: { url: string; path: string },
): Promise<void> {
  let size = 0;
  const limit = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxDocumentBytes) throw documentTooLarge();
      yield chunk;
    }
  };
  try {
    const signal = AbortSignal.timeout(downloadTimeoutMs);
    const connectionGroup = `imports ${workspaceId}`;
    const { bytes } = await outbound.download(url, { connectionGroup, signal });
    await pipeline(bytes, limit, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ServiceError("invalid_request", `The document could not be read: ${error.message}.`, {
      cause: error,
    });
  }
}

async function openUpload(
  context: ImportsContext,
  caller: Caller,
  fileId: string,
): Promise<OpenedDocument> {
  const file = await getFile(context, caller, fileId);
  if (file.size > maxDocumentBytes) throw documentTooLarge();
  const { fileName } = file;
  return { bytes: await readFileBytes(file), fallbackTitle: fileName, fileName };
}

function documentTooLarge(): ServiceError {
  return new ServiceError(
    "payload_too_large",
    `A document can have at most ${maxDocumentBytes / 1024 / 1024} MiB. Remove the parts that you do not need.`,
  );
}

/** Reads what a document offers. Throws as {@link explainOpenApiError}. */
export async function readOpenApi(
  { imports }: Pick<ImportsContext, "imports">,
  workspaceId: string,
  { bytes: document, fallbackTitle, fileName }: OpenedDocument,
): Promise<Reading> {
  const summary = await imports.reader
    .readDocument(workspaceId, document)
    .catch((error: unknown) => Promise.reject(explainOpenApiError(error)));
  const { title, description, version, format, servers, securitySchemes, converted, notes } =
    summary;
  const items = itemsOf(summary);
  return {
    kind: "openapi",
    title: title || fallbackTitle,
    description,
    version,
    format,
    transport: null,
    common: { servers, securitySchemes, tags: countTags(items), notes, fileName },
    items,
    hash: sha256(document),
    // A collection contains secrets that its authors saved.
    document: converted === undefined ? document : Buffer.from(converted),
  };
}

function itemsOf({ operations, skipped }: DocumentSummary): StoredItem[] {
  return [
    ...operations.map(
      ({
        key,
        operationId,
        hash,
        title,
        description,
        tags,
        isDeprecated,
        schemaBytes,
        security,
        scopes,
      }) => ({
        key,
        name: operationId ?? "",
        hash,
        title,
        description,
        tags,
        isDeprecated,
        schemaBytes,
        security,
        scopes,
        problem: null,
      }),
    ),
    ...skipped.map(({ key, reason }) => ({
      key,
      name: "",
      hash: "",
      title: key,
      description: "",
      tags: [],
      isDeprecated: false,
      schemaBytes: 0,
      security: [],
      problem: reason,
    })),
  ];
}

/** Turns an error of the reader into `invalid_request` or `unavailable`, and any other into itself. */
export function explainOpenApiError(error: unknown): unknown {
  if (!(error instanceof OpenApiError)) return error;
  const { code, message, retryAfterSeconds = 5 } = error;
  if (code === "busy") {
    return new ServiceError("unavailable", message, { cause: error, retryAfterSeconds });
  }
  const errors = code === "server_missing" ? [{ path: "/serverUrl", message: "is required" }] : [];
  return new ServiceError("invalid_request", message, { cause: error, errors });
}
