import { Readable } from "node:stream";
import { uploadedFile, uploadFileInput } from "@toolhost/contract";
import { z } from "zod";
import { awaitUpload, createFile, getFile, spool } from "#core/files";
import { fileHeaders, isUnchanged, readRange } from "./file-headers.ts";
import { readUpload } from "./read-upload.ts";
import { defineRoute } from "./route.ts";

const tag = "Files";

/** Takes files in and gives them out. */
export const fileRoutes = [
  defineRoute({
    method: "post",
    path: "/upload",
    tag,
    summary: "Upload a file",
    description:
      "As a form with the part `file`; as JSON with the content in base64, which the limit of JSON bodies applies to; or as JSON with the size, answered with an address that takes the bytes by PUT, once, within an hour and without a key. Give the `fileId` to a tool in one of its `fileFields`.",
    scope: "mcp:execute",
    audit: "file.create",
    // An address for a PUT is a secret.
    isSecret: true,
    body: uploadFileInput,
    readBody: readUpload,
    otherBodies: {
      "multipart/form-data": {
        type: "object",
        properties: {
          file: { type: "string", contentMediaType: "application/octet-stream" },
        },
        required: ["file"],
      },
    },
    status: 201,
    response: uploadedFile,
    handle: async ({ context, caller, body, upload }) => {
      const { contentBase64, size = 0, ...info } = body;
      if (upload !== undefined) {
        return { body: await createFile(context, caller, info, { spooled: upload }) };
      }
      if (contentBase64 === undefined) {
        return { body: await awaitUpload(context, caller, { ...info, size }) };
      }
      const bytes = Buffer.from(contentBase64, "base64");
      const spooled = await spool(context, [bytes], context.config.UPLOAD_MAX_BYTES);
      try {
        return { body: await createFile(context, caller, info, { spooled }) };
      } finally {
        await spooled.discard();
      }
    },
  }),
  defineRoute({
    method: "get",
    path: "/files/{fileId}",
    tag,
    summary: "Download a file",
    description:
      "Its bytes, or one range of them. Always an attachment, unless its first bytes show an image that browsers show safely (PNG, JPEG, GIF, WebP).",
    scope: "mcp:read",
    audit: null,
    requestHeaders: [
      { name: "Range", description: "One range of bytes (RFC 9110, section 14)." },
      { name: "If-None-Match", description: "The `ETag` of a copy: answered with 304." },
      { name: "If-Range", description: "The `ETag` that the range is for." },
    ],
    params: z.object({ fileId: z.string().meta({ description: "The file's id." }) }),
    status: 200,
    response: null,
    isBinary: true,
    errors: ["file_not_found", "range_not_satisfiable"],
    handle: async ({ context, caller, params, headers, isHead }) => {
      const file = await getFile(context, caller, params.fileId);
      const own = fileHeaders(file);
      if (isUnchanged(headers, file)) {
        return { status: 304, body: null, stream: null, headers: own.ofCopy };
      }
      const range = readRange(headers, file);
      const stream = isHead ? null : toWeb(await file.open(range));
      return {
        status: range === undefined ? 200 : 206,
        body: null,
        stream,
        headers: own.ofBytes(range),
      };
    },
  }),
];

/** Read no faster than it is sent, and closed when whoever asked goes away. */
function toWeb(bytes: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
}
