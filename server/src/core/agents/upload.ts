import type { JsonObject, UploadedFile } from "@toolhost/contract";
import { z } from "zod";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { createUploadUrl, createFile, fetchFile, mimeTypeOf, spool } from "#core/files";
import { anyObject, defineBrokerTool } from "./broker-tool.ts";

const never = new AbortController().signal;
const mediaType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

const input = z.strictObject({
  file_name: z.string().min(1).max(1_000).meta({ description: "Name with extension" }),
  mime_type: z.string().max(200).optional().meta({ description: "Guessed when absent" }),
  text: z.string().optional(),
  content_base64: z.string().optional(),
  source_url: z.string().max(4_000).optional(),
  size: z.int().min(0).optional().meta({ description: "Bytes to PUT, when known" }),
});

/** Creates a file that a tool can read. */
export const uploadBroker = defineBrokerTool({
  name: "service_upload",
  title: "Upload a file",
  description:
    "Makes a file available to a tool's file field. Small text or base64 inline (up to about 700 kB), a public source_url, or, with none of these, a one-time uploadUrl to PUT the bytes to. Pass the returned fileId in the tool's file field.",
  scope: "mcp:execute",
  annotations: { readOnly: false, idempotent: false, openWorld: true },
  input,
  output: z.object({
    fileId: z.string().meta({ description: "Pass this to the tool" }),
    fileName: z.string().meta({ description: "Stored name" }),
    mimeType: z.string().meta({ description: "Media type" }),
    status: z.enum(["ready", "awaiting_upload"]).meta({ description: "ready or awaiting_upload" }),
    size: z.int().optional().meta({ description: "Bytes" }),
    sha256: z.string().optional().meta({ description: "Checksum" }),
    uploadUrl: z.string().optional().meta({ description: "PUT the bytes here, once" }),
    uploadHeaders: anyObject("Headers for the PUT").optional(),
    expiresAt: z.string().meta({ description: "When the file or URL expires" }),
    hint: z.string().optional().meta({ description: "What to do next" }),
  }),
  call: async (context, caller, args, { signal = never }) => {
    const file = await upload(context, caller, args, signal);
    return { isError: false, structured: present(file, args.size) };
  },
});

type Args = z.output<typeof input>;

async function upload(
  context: AgentsContext,
  caller: Caller,
  args: Args,
  signal: AbortSignal,
): Promise<UploadedFile> {
  const { file_name: fileName, source_url: url, size } = args;
  checkOneSource(args);
  if (url !== undefined) {
    return fetchFile(context, caller, { url, fileName, mimeType: givenType(args), signal });
  }
  const info = { fileName, mimeType: givenType(args) ?? mimeTypeOf(fileName) };
  const bytes = inlineBytes(args);
  if (bytes === undefined) return createUploadUrl(context, caller, { ...info, size });
  const spooled = await spool(context, [bytes], context.config.UPLOAD_MAX_BYTES);
  try {
    return await createFile(context, caller, info, { spooled });
  } finally {
    await spooled.discard();
  }
}

function checkOneSource({ text, content_base64: base64, source_url: url }: Args): void {
  if ([text, base64, url].filter((source) => source !== undefined).length < 2) return;
  throw new ServiceError(
    "invalid_request",
    "Pass at most one of text, content_base64 and source_url.",
  );
}

function givenType({ mime_type: type }: Args): string | undefined {
  if (type === undefined || type.trim() === "") return undefined;
  const bare = type.split(";")[0]?.trim() ?? "";
  if (mediaType.test(bare)) return bare;
  throw new ServiceError("invalid_request", 'mime_type must be a media type such as "image/png".');
}

function inlineBytes({ text, content_base64: base64 }: Args): Uint8Array | undefined {
  if (text !== undefined) return Buffer.from(text.toWellFormed());
  if (base64 === undefined) return undefined;
  // Agents wrap lines, and pass whole `data:` URLs.
  const bare = base64.replace(/^data:[^,]*,/, "").replaceAll(/\s+/g, "");
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.replaceAll("=", "").length % 4 !== 1) {
    return Buffer.from(bare, "base64");
  }
  throw new ServiceError(
    "invalid_request",
    "content_base64 is not valid base64. Encode the file's bytes, or pass plain text as text.",
  );
}

function present(file: UploadedFile, announced: number | undefined): JsonObject {
  const { fileId, fileName, mimeType, status, size, sha256, uploadUrl, expiresAt } = file;
  const common = { fileId, fileName, mimeType, status, expiresAt };
  if (status === "ready") {
    const hint = "Pass fileId in the tool's file field.";
    return { ...common, size, ...(sha256 === null ? {} : { sha256 }), hint };
  }
  return {
    ...common,
    ...(announced === undefined ? {} : { size: announced }),
    ...(uploadUrl === undefined ? {} : { uploadUrl }),
    uploadHeaders: { "content-type": "application/octet-stream" },
    hint: `Send the bytes with HTTP PUT to uploadUrl, for example: curl -T ${JSON.stringify("./file")} UPLOAD_URL. Then pass fileId in the tool's file field.`,
  };
}
