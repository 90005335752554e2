import { Readable } from "node:stream";
import { errorCodes, uploadFileInput } from "@toolhost/contract";
import type { FileReference } from "@toolhost/contract";
import type { FilesContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { createSlots } from "#lib/slots";
import { createFile } from "./create-file.ts";
import { fileNotFound } from "./file.ts";
import type { FileInfo, Maker } from "./file.ts";
import { getFile } from "./open-file.ts";
import { spool } from "./spool.ts";
import { untilMark } from "./until-mark.ts";

/** Whose run asks, which files it may open, and who is told of a file that it saved. */
export type RunFiles = {
  runId: string;
  maker: Maker;
  fileIds: ReadonlySet<string>;
  noteSaved: (fileId: string) => void;
};

const savesAtOnce = 4;

/**
 * Answers a run's requests for `ctx.files`: `GET /:fileId` for a file that it may open,
 * `POST /` to save one. Refusals are JSON with `code` and `message`.
 */
export function serveRunFiles(
  context: FilesContext,
  { runId, maker, fileIds, noteSaved }: RunFiles,
): (request: Request) => Promise<Response> {
  let saved = 0;
  // Bytes count for the workspace only once they have arrived, so a run may not collect many files at once.
  const slots = createSlots(savesAtOnce);
  const save = async (request: Request) => {
    const most = context.config.RUN_MAX_SAVED_FILES;
    if (saved >= most) {
      throw new ServiceError("payload_too_large", `A run may save ${most} files.`);
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
      if (!fileIds.has(id)) throw fileNotFound();
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
  const bytes = untilMark(body ?? [], headers.get("x-file-end") ?? "");
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
    'A file needs a name and a mimeType such as "text/plain".',
  );
}

/** Empty, and so no name, for what a tool wrote itself and wrongly. */
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
  if (known !== error) log.error({ err: error, runId }, "a tool could not use a file");
  const { code, message } = known;
  return Response.json({ code, message }, { status: errorCodes[code].status });
}
