import { uploadedFile, uploadFileInput } from "@toolhost/contract";
import { z } from "zod";
import { createUploadUrl, createFile, getFile, spool } from "#core/files";
import { readUpload } from "./read-upload.ts";
import { defineRoute } from "./route.ts";
import { sendFile } from "./send-file.ts";

const tag = "Files";

/** Uploads and downloads. */
export const fileRoutes = [
  defineRoute({
    method: "post",
    path: "/upload",
    operation: "uploadFile",
    tag,
    summary: "Upload a file",
    description:
      "Send a form with the part `file`, or JSON with the content in base64, up to the size limit of JSON bodies. Or send JSON with the size only: the response then has an `uploadUrl`, which accepts the bytes with PUT once, within an hour and without an API key. Pass the `fileId` to a tool in one of its `fileFields`.",
    scope: "mcp:execute",
    audit: "file.create",
    // The `uploadUrl` is a secret.
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
        return { body: await createUploadUrl(context, caller, { ...info, size }) };
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
    operation: "downloadFile",
    tag,
    summary: "Download a file",
    description:
      "Returns the bytes of the file, or one range of them. The response is an attachment, unless the first bytes identify an image that browsers display safely (PNG, JPEG, GIF, WebP).",
    scope: "mcp:read",
    audit: null,
    requestHeaders: [
      { name: "Range", description: "One range of bytes (RFC 9110, section 14)." },
      {
        name: "If-None-Match",
        description: "The `ETag` of a cached copy. Returns 304 if it is current.",
      },
      { name: "If-Range", description: "The `ETag` that the range applies to." },
    ],
    params: z.object({ fileId: z.string().meta({ description: "The ID of the file." }) }),
    status: 200,
    response: null,
    isBinary: true,
    errors: ["file_not_found", "range_not_satisfiable"],
    handle: async ({ context, caller, params, headers, isHead }) =>
      sendFile(await getFile(context, caller, params.fileId), { headers, isHead }),
  }),
];
