import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Client } from "@toolhost/client";
import type { ImportResource } from "@toolhost/contract";
import { isMissing } from "../project/write-atomic.ts";
import { usageError } from "../terminal/cli-error.ts";

type Options = {
  mcp?: boolean;
  credential?: readonly string[];
  update?: string;
  yes?: boolean;
};

/**
 * The import of a source, checked for changes; creates it if there is none yet. An uploaded document is recognized by its
 * content.
 */
export async function findOrCreateImport(
  client: Client,
  { mcp = false, credential = [], update, yes = false }: Options,
  source: string,
): Promise<ImportResource> {
  if (update !== undefined) return replaceDocument(client, { id: update, isOther: yes }, source);
  if (mcp || source.startsWith("bridge:")) return findServer(client, source, credential);
  if (!isUrl(source)) return findUploaded(client, source);
  const existing = await find(client, ({ kind, url }) => kind === "openapi" && url === source);
  if (existing !== undefined) return check(client, existing);
  return client.request("POST /imports", { body: { kind: "openapi", url: source } });
}

async function findServer(
  client: Client,
  source: string,
  [credential, ...others]: readonly string[],
): Promise<ImportResource> {
  if (!isUrl(source) && !source.startsWith("bridge:")) {
    throw usageError("--mcp needs the URL of the server, or bridge:NAME.");
  }
  if (others.length > 0) throw usageError("An MCP server gets one --credential.");
  const isSame = (one: ImportResource) =>
    one.kind === "mcp" &&
    one.url === source &&
    (credential === undefined || one.credential === credential);
  const existing = await find(client, isSame);
  if (existing !== undefined) return check(client, existing);
  const body = { kind: "mcp" as const, url: source, credential: credential ?? null };
  return client.request("POST /imports", { body });
}

/** Uploads the next version of a document. */
async function replaceDocument(
  client: Client,
  { id, isOther }: { id: string; isOther: boolean },
  path: string,
): Promise<ImportResource> {
  if (isUrl(path)) throw usageError("--update needs a file. A document at a URL is read again.");
  await withUpload(client, { path, bytes: await read(path) }, (fileId) => {
    const body = { fileId, allowMismatch: isOther };
    return client.request("POST /imports/{id}/check", { params: { id }, body });
  });
  return client.request("GET /imports/{id}", { params: { id } });
}

async function read(path: string): Promise<Buffer<ArrayBuffer>> {
  return readFile(path).catch((error: unknown) => {
    if (isMissing(error)) {
      throw usageError(`There is no file ${path}. A URL starts with https://.`);
    }
    throw error;
  });
}

async function findUploaded(client: Client, path: string): Promise<ImportResource> {
  const bytes = await read(path);
  const documentHash = hash("sha256", bytes, "hex");
  const existing = await find(
    client,
    (one) => one.url === null && one.documentHash === documentHash,
  );
  if (existing !== undefined) return existing;
  return withUpload(client, { path, bytes }, (fileId) =>
    client.request("POST /imports", { body: { kind: "openapi", fileId } }),
  );
}

/** Uploads a document only for a task, because it may contain secrets that an import leaves out. */
async function withUpload<T>(
  client: Client,
  { path, bytes }: { path: string; bytes: Buffer<ArrayBuffer> },
  task: (fileId: string) => Promise<T>,
): Promise<T> {
  const { fileId } = await client.files.upload(bytes, { fileName: basename(path) });
  try {
    return await task(fileId);
  } finally {
    // The service deletes a file that stays, after some days.
    await client.request("DELETE /files/{fileId}", { params: { fileId } }).catch(() => undefined);
  }
}

async function find(
  client: Client,
  isSame: (one: ImportResource) => boolean,
): Promise<ImportResource | undefined> {
  for await (const one of client.list("/imports", { query: { limit: 200 } })) {
    if (isSame(one)) return one;
  }
  return undefined;
}

/** Reads the source again, so that the items are current. */
async function check(client: Client, { id }: ImportResource): Promise<ImportResource> {
  await client.request("POST /imports/{id}/check", { params: { id }, body: {} });
  return client.request("GET /imports/{id}", { params: { id } });
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source) && URL.canParse(source);
}
