import { OutboundError } from "@toolhost/sandbox";
import type { UploadedFile } from "@toolhost/contract";
import type { FilesContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { createFile } from "./create-file.ts";
import type { Maker } from "./file.ts";
import { mimeTypeOf } from "./mime-type.ts";
import { spool } from "./spool.ts";

/** Agent hosts time out after a minute. */
const maxMs = 40_000;

type Source = { url: string; fileName: string; mimeType: string | undefined; signal: AbortSignal };

/**
 * Creates a file from a URL, under the same egress rules as tools. Throws `invalid_request` if the URL cannot be fetched or is
 * not allowed, and `payload_too_large`.
 */
export async function fetchFile(
  context: FilesContext,
  maker: Maker,
  { url, fileName, mimeType, signal }: Source,
): Promise<UploadedFile> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  try {
    const options = { connectionGroup: `files ${maker.workspaceId}`, signal: until };
    const { contentType, bytes } = await context.outbound.download(url, options);
    const spooled = await spool(context, bytes, context.config.UPLOAD_MAX_BYTES);
    try {
      const info = { fileName, mimeType: mimeType ?? mimeTypeOf(fileName, contentType) };
      return await createFile(context, maker, info, { spooled });
    } finally {
      await spooled.discard();
    }
  } catch (error) {
    throw explained(error);
  }
}

/** The spool reports an interrupted body as a client error. Here the cause, the failed download, is more precise. */
function explained(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof OutboundError)) return error;
  return new ServiceError("invalid_request", `${cause.message}.`, { cause });
}
