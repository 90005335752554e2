import { Readable } from "node:stream";
import { errorCodes, uploadFileInput } from "@toolhost/contract";
import type { FileReference } from "@toolhost/contract";
import type { FilesContext } from "./context.ts";
import { notFound, ServiceError } from "#core/kernel";
import { createSlots } from "#lib/slots";
import { createFile } from "./create-file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { getFile } from "./open-file.ts";
import { spool } from "./spool.ts";
import { readUntilMarker } from "./read-until-marker.ts";

/** A run's identity, the files that it may open, and a callback for saved files. */
export type RunFiles = {
  runId: string;
  maker: Maker;
  fileIds: ReadonlySet<string>;
  noteSaved: (fileId: string) => void;
};

const maxConcurrentSaves = 4;

/**
 * Serves a run's `ctx.files` requests: `GET /:fileId` for a file that it may open,
 * `POST /` to save one. Errors are JSON with `code` and `message`.
 */
export function serveRunFiles(
  context: FilesContext,
  { runId, maker, fileIds, noteSaved }: RunFiles,
): (request: Request) => Promise<Response> {
  let saved = 0;
  // Bytes count toward the workspace only once they have arrived, so concurrent saves are limited.
  const slots = createSlots(maxConcurrentSaves);
  const save = async (request: Request) => {
    const max = context.config.RUN_MAX_SAVED_FILES;
    if (saved >= max) {
      throw new ServiceError("payload_too_large", `A run can save at most ${max} files.`);
    }
    saved += 1;
    const reference = await slots.use(() => saveFile(context, { runId, maker }, request));
    noteSaved(reference.fileId);
    return Response.json(reference, { status: 201 });
  };
  return async (request) => {
    try {
      if (request.method === "POST") return await save(request);
      const id = new URL(request.url).pathname.slice(1);
      if (!fileIds.has(id)) throw notFound("file_not_found", "file", { id });
      return await sendFile(context, maker, id);
    } catch (error) {
      return refuse(context, runId, error);
    }
  };
}

async function sendFile(context: FilesContext, maker: Maker, id: string): Promise<Response> {
  const file = await getFile(context, maker, id);
  const bytes = await file.open();
  const headers = {
    "content-type": file.mimeType,
    "content-length": String(file.size),
    "x-file-name": encodeURIComponent(file.fileName),
    "x-file-size": String(file.size),
  };
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, { headers });
}

async function saveFile(
  context: FilesContext,
  { runId, maker }: Pick<RunFiles, "runId" | "maker">,
  request: Request,
): Promise<FileReference> {
  const { headers, body } = request;
  const info = readInfo(headers);
  const bytes = readUntilMarker(body ?? [], headers.get("x-file-end") ?? "");
  const spooled = await spool(context, bytes, context.config.UPLOAD_MAX_BYTES);
  try {
    const file = await createFile(context, maker, info, { spooled, runId });
    const { fileId, fileName, mimeType, size } = file;
    const url = `${context.config.baseUrl}/api/v1/files/${fileId}`;
    return { fileId, fileName, mimeType, size, sha256: spooled.sha256, url };
  } finally {
    await spooled.discard();
  }
}

function readInfo(headers: Headers): FileInfo {
  const fileName = decode(headers.get("x-file-name"));
  const mimeType = decode(headers.get("x-file-type"));
  const { success } = uploadFileInput.safeParse({ fileName, mimeType, size: 0 });
  if (success) return { fileName, mimeType };
  throw new ServiceError(
    "invalid_request",
    'A file needs a name and a media type such as "text/plain" in `mimeType`.',
  );
}

/** Returns an empty string, which is not a valid name, for a malformed header. */
function decode(header: string | null): string {
  try {
    return decodeURIComponent(header ?? "");
  } catch {
    return "";
  }
}

function refuse({ log }: FilesContext, runId: string, error: unknown): Response {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError("internal", "The file could not be read or saved. Retry.");
  if (known !== error) log.error({ err: error, runId }, "could not serve a file request of a run");
  const { code, message } = known;
  return Response.json({ code, message }, { status: errorCodes[code].status });
}
